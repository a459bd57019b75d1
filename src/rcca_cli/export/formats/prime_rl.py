"""For prime-rl: a map for each rollout, with the names of its `TrainingSample`.

Not the sample as prime-rl itself packs it, an array without names: where in it `advantages` stands has changed, and
where one version has them another has `ref_kl_weights`. `rcca_cli.export.prime_rl` makes samples of the maps, by name.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from rcca_cli.export.row import Row

ENVIRONMENT = "rcca"


def items(groups: Iterable[list[Row]], _options: Any) -> Iterator[dict[str, Any]]:
    """Each rollout: prompt and completion as one sequence; an advantage stands at its own token, not one before it.

    RecordError for a rollout without the sampler's log-probabilities.
    """
    for rows in groups:
        for row in rows:
            before, here = len(row.prompt_ids), len(row.tokens)
            yield {
                "token_ids": row.prompt_ids + row.tokens,
                "mask": [False] * before + [True] * here,
                "logprobs": [0.0] * before + row.needed_logprobs("prime-rl"),
                "temperatures": [row.temperature] * (before + here),
                "env_name": ENVIRONMENT,
                "advantages": [0.0] * before + row.advantages,
                "id": row.id,
                "group": row.group,
                "reward": row.reward,
                **row.origin,
            }
