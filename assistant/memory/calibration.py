"""What "unlike" means to an embedder: the cosine of texts that have nothing to do with each other.

Run once for an embedder other than the one that ships; its weights and thresholds then mean what they mean here
(store/scale.py).
"""

from __future__ import annotations

import numpy as np

from assistant.memory.ports import Embedder
from assistant.memory.store.scale import Scale

# Ten subjects, a question and a statement each. Every question is unrelated to every statement but its own.
_QUESTIONS = (
    "Which paint did I pick for the kitchen?",
    "how long should the bread rest before baking",
    "What time does my train to Lyon leave?",
    "why does the login page return a 500 error",
    "Did the vet say anything about the dog's teeth?",
    "what is the interest rate on my mortgage",
    "Who is playing bass at the wedding?",
    "how much water do the tomatoes need in July",
    "What did the physiotherapist advise for my knee?",
    "which chapter of the novel needs another draft",
)
_STATEMENTS = (
    "We settled on a pale green for the cupboards and white for the walls.",
    "The dough has to prove overnight in the fridge.",
    "I booked the 7:42 from Paris, second class, seat by the window.",
    "The session cookie was too large, so the proxy dropped it.",
    "Biscuit needs her molars cleaned, the clinic will call on Monday.",
    "The bank offered a fixed rate for five years and I signed.",
    "My cousin's band rehearses on Thursdays in the old chapel.",
    "A good soak twice a week is better than a sprinkle every day.",
    "Stretch the calf every morning and leave running alone for a month.",
    "The scene in the harbour drags; I want to cut it by half.",
)


def measure(embedder: Embedder) -> Scale:
    """Mean and spread of the cosine between questions and statements on other subjects. Blocking: twenty texts are embedded."""
    cosine = embedder.embed(_QUESTIONS) @ embedder.embed(_STATEMENTS).T
    unrelated = cosine[~np.eye(len(_QUESTIONS), dtype=bool)]
    return Scale(float(unrelated.mean()), float(unrelated.std()))
