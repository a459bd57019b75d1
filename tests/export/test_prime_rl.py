"""The samples inside prime-rl, which is no package of a registry: run where its sources are on the path."""

import pytest

from rcca_cli.export import stage
from tests.train import helpers
from tests.train.helpers import lines


@pytest.fixture(scope="module")
def door():
    for name in ("msgpack", "msgspec", "prime_rl.transports.batch.types"):
        pytest.importorskip(name, reason=f"{name} is not installed: the door to prime-rl is NOT tested")
    from rcca_cli.export import prime_rl

    return prime_rl


def test_the_file_is_read_as_samples_and_goes_over_prime_rls_wire(door, tmp_path):
    import msgspec
    from prime_rl.transports.batch.types import TrainingSample

    given = helpers.random_records(2, 2, model=helpers.tiny_model())
    path = tmp_path / "samples.msgpack"
    path.write_bytes(b"".join(stage.run(lines(given), stage.Options("prime-rl"))))
    samples = list(door.samples(str(path)))
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(samples), type=list[TrainingSample]) == samples
    for sample, record in zip(samples, given, strict=True):
        before = len(record["rollout"]["prompt_ids"])
        assert sample.token_ids[before:] == record["rollout"]["tokens"]
        assert sample.advantages == [0.0] * before + record["align"]["advantages"]
        assert sample.logprobs[before:] == record["rollout"]["logprobs"]
        assert len({len(getattr(sample, name)) for name in door.STREAMS}) == 1
        assert sample.rl_weights is None  # absent: 1 on every sampled token
    assert [one["id"] for one in door.maps(str(path))] == [record["id"] for record in given]


def test_prime_rl_has_the_places_that_credit_goes_to(door):
    """A canary: the names that the file is read by."""
    from prime_rl.transports.batch.types import TrainingSample

    assert {*door.STREAMS, "env_name", "rl_weights"} <= set(TrainingSample.__struct_fields__)
