"""For verl: a row for each rollout, which `rcca_cli.export.verl` replays; verl runs with `rollout.n=1`."""

from collections.abc import Iterable, Iterator
from typing import Any

from rcca_cli.export import encode
from rcca_cli.export.row import Row

AGENT = "rcca_replay"


def items(groups: Iterable[list[Row]], _options: Any) -> Iterator[dict[str, Any]]:
    """Each rollout as a row of verl's dataset; what is replayed is in `extra_info`."""
    index = 0
    for rows in groups:
        for row in rows:
            yield {
                "prompt": row.prompt,
                "data_source": "rcca",
                "agent_name": AGENT,
                "reward_model": {"style": "rule", "ground_truth": ""},
                "extra_info": {
                    "index": index,
                    "id": row.id,
                    "group": row.group,
                    "prompt_ids": row.prompt_ids,
                    "response_ids": row.tokens,
                    "response_logprobs": row.logprobs or [],
                    "token_advantages": row.advantages,
                    "temperature": row.temperature,
                    "reward": row.reward,
                    **row.origin,
                },
            }
            index += 1


def pieces(rows: Iterable[dict[str, Any]]) -> Iterator[bytes]:
    """The rows as one Parquet file, whose columns have one type each whatever the rows hold."""
    import pyarrow

    text, number = pyarrow.string(), pyarrow.float64()
    numbers, ids = pyarrow.list_(number), pyarrow.list_(pyarrow.int64())
    recorded = {
        "index": pyarrow.int64(),
        **dict.fromkeys(("id", "group"), text),
        **dict.fromkeys(("prompt_ids", "response_ids"), ids),
        **dict.fromkeys(("response_logprobs", "token_advantages"), numbers),
        **dict.fromkeys(("temperature", "reward"), number),
        **dict.fromkeys(("model", "tokenizer"), text),
    }
    columns = {
        "prompt": pyarrow.list_(_struct({"role": text, "content": text})),
        "data_source": text,
        "agent_name": text,
        "reward_model": _struct({"style": text, "ground_truth": text}),
        "extra_info": _struct(recorded),
    }
    return encode.parquet(rows, pyarrow.schema(list(columns.items())))


def _struct(fields: dict[str, Any]) -> Any:
    import pyarrow

    return pyarrow.struct(list(fields.items()))
