"""Why a value is undefined, in the words that follow "is undefined:"."""

REASONS = {
    "no_ratings": "there are no judgments",
    "one_rater": "one worker judged all there is",
    "one_rating_per_unit": "no two workers judged the same stimulus",
    "unanimous": "everybody gave the same answer",
    "too_few": "there are too few pairs",
    "too_few_methods": "there are too few methods",
    "too_few_texts": "there are too few texts with every cell judged",
    "constant_human_score": "people's scores are all the same",
    "metric_without_values": "the metric has no value of any explanation",
    "constant_metric": "the metric's values are all the same",
    "constant_within_texts": "in every text people or the metric score all methods alike",
    "one_judgment_each": "no stimulus has two judgments",
    "only_majority_verdicts": "only majority verdicts are known",
    "reliability_too_low": "people's scores are too noisy",
    "reliability_undefined": "people's scores have no reliability",
    "no_covariate_varies": "neither the length of texts nor k varies",
    "follows_from_covariates": "the length of texts or k says all that the metric does",
    "one_text": "there is one text",
    "all_tied": "all methods tie on every text",
    "no_cue_or_attractor": "no prefix has both a cue and an attractor",
    "tied_methods": "a metric puts all methods on a par",
    "one_seed": "no text was explained under a second seed",
    "nothing_learnt": "the models learnt nothing that could be lost",
    "no_comparable_pair": "no two maps can be compared",
    "unequal_lengths": "the maps have unequal lengths",
    "fewer_than_two_words": "there are fewer than two words",
    "constant_map": "a map is constant",
    "no_rationale": "the text has no rationale",
    "no_marked_word": "no word that the model saw is marked",
    "every_word_marked": "every word is marked",
    "not_one_score_a_word": "there is not one score a word",
    "a_word_without_a_score": "a word has no score",
    "all_words_score_the_same": "all words score the same",
    "no_graded_importance": "the rationale is not graded",
    "all_words_equally_important": "all words are equally important",
}


def reason(status: str) -> str:
    return REASONS.get(status, status.replace("_", " "))
