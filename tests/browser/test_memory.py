"""How much memory a page can take: the system's own bound, for when nobody looks in time."""

import asyncio

from rcca_cli.browser import Machine, Settings, processes, wire

BOMB = "<p>x</p><script>const all = []; for (;;) all.push(new Uint8Array(1e8).fill(1))</script>"


def test_a_page_that_nobody_stops_in_time_gets_no_more_than_the_bound():
    peaks = []

    async def visited(machine):
        async with machine.visit(BOMB, 0) as visit:
            pids = set(visit.guard.pids)
            loading = machine.loop.create_task(visit.load())
            while not loading.done():
                peaks.append(sum(map(processes.resident_bytes, pids)))
                await asyncio.sleep(0)
            loading.exception()
            await visit.turn(rest=0)
            return visit.thrown

    with Machine(Settings(page_bytes=1 << 40)) as machine:
        (thrown,) = machine.run(lambda: visited(machine))
    assert thrown.message == "Uncaught RangeError: Array buffer allocation failed"
    assert 5e8 < max(peaks) < wire.MOST * 1024
