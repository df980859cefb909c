"""The literature that methods, metrics, protocols and statistics come from, by the short names that citations use.

Authors are in BibTeX's order, "and others" where there are many.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

SPECIAL = str.maketrans({"&": r"\&", "%": r"\%", "_": r"\_", "#": r"\#"})


@dataclass(frozen=True)
class Reference:
    """`venue` is where it appeared, with volume and pages of a journal; `link` an arXiv id, a DOI or an address."""

    name: str
    authors: str
    title: str
    venue: str = ""
    link: str = ""

    @property
    def key(self) -> str:
        """Of the BibTeX entry: first author, year and first word of the title that says something."""
        surname = self.name.split()[0]
        words = (word.strip(":,()\"'").lower() for word in self.title.split())
        said = next(word for word in words if len(word) > 3 and word.isalpha())
        return f"{surname.lower()}{self.year}{said}"

    @property
    def year(self) -> str:
        return self.name.split()[-1]

    def bibtex(self) -> str:
        fields = {"author": self.authors, "title": f"{{{self.title}}}", "year": self.year}
        if self.venue:
            fields["howpublished"] = self.venue
        fields |= _linked(self.link)
        lines = [
            f"  {name} = {{{value if name == 'url' else value.translate(SPECIAL)}}}," for name, value in fields.items()
        ]
        return "\n".join([f"@misc{{{self.key},", *lines, "}", ""])


def _linked(link: str) -> dict[str, str]:
    kind, _, value = link.partition(":")
    if kind == "arXiv":
        return {"eprint": value, "archiveprefix": "arXiv", "url": f"https://arxiv.org/abs/{value}"}
    if kind == "doi":
        return {"doi": value, "url": f"https://doi.org/{value}"}
    return {"url": f"https://{link}"} if link else {}


def cited(citation: str) -> list[Reference]:
    """What a citation such as "Yeh et al. 2019, arXiv:1901.09392; Kendall 1945" names. KeyError for an unknown one."""
    return [REFERENCES[part.split(",")[0].strip()] for part in citation.split(";")]


def as_bibtex(references: Iterable[Reference]) -> str:
    """Each once, by key."""
    return "\n".join(one.bibtex() for one in sorted({one.key: one for one in references}.values(), key=_key))


def _key(reference: Reference) -> str:
    return reference.key


def _all() -> Iterator[Reference]:
    yield from _METHODS
    yield from _METRICS
    yield from _STATISTICS


_METHODS = (
    Reference(
        "Lu et al. 2024", "Lu, Xiaotian and others", "Evaluating Saliency Explanations in NLP by Crowdsourcing",
        "LREC-COLING 2024", "arXiv:2405.10767",
    ),
    Reference(
        "Abnar & Zuidema 2020", "Abnar, Samira and Zuidema, Willem", "Quantifying Attention Flow in Transformers",
        "ACL 2020", "arXiv:2005.00928",
    ),
    Reference(
        "Chefer et al. 2021", "Chefer, Hila and Gur, Shir and Wolf, Lior",
        "Generic Attention-model Explainability for Interpreting Bi-Modal and Encoder-Decoder Transformers",
        "ICCV 2021", "arXiv:2103.15679",
    ),
    Reference(
        "Simonyan et al. 2014", "Simonyan, Karen and Vedaldi, Andrea and Zisserman, Andrew",
        "Deep Inside Convolutional Networks: Visualising Image Classification Models and Saliency Maps",
        "ICLR 2014 workshop", "arXiv:1312.6034",
    ),
    Reference(
        "Shrikumar et al. 2016",
        "Shrikumar, Avanti and Greenside, Peyton and Shcherbina, Anna and Kundaje, Anshul",
        "Not Just a Black Box: Learning Important Features Through Propagating Activation Differences",
        "", "arXiv:1605.01713",
    ),
    Reference(
        "Sundararajan et al. 2017", "Sundararajan, Mukund and Taly, Ankur and Yan, Qiqi",
        "Axiomatic Attribution for Deep Networks", "ICML 2017", "arXiv:1703.01365",
    ),
    Reference(
        "Smilkov et al. 2017", "Smilkov, Daniel and others", "SmoothGrad: removing noise by adding noise",
        "", "arXiv:1706.03825",
    ),
    Reference(
        "Adebayo et al. 2018", "Adebayo, Julius and others", "Sanity Checks for Saliency Maps",
        "NeurIPS 2018", "arXiv:1810.03292",
    ),
    Reference(
        "Lundberg & Lee 2017", "Lundberg, Scott M. and Lee, Su-In",
        "A Unified Approach to Interpreting Model Predictions", "NeurIPS 2017", "arXiv:1705.07874",
    ),
    Reference(
        "Erion et al. 2021", "Erion, Gabriel and others",
        "Improving performance of deep learning models with axiomatic attribution priors and expected gradients",
        "Nature Machine Intelligence 2021", "arXiv:1906.10670",
    ),
    Reference(
        "Ding & Koehn 2021", "Ding, Shuoyang and Koehn, Philipp",
        "Evaluating Saliency Methods for Neural Language Models", "NAACL 2021", "arXiv:2104.05824",
    ),
    Reference(
        "Shrikumar et al. 2017", "Shrikumar, Avanti and Greenside, Peyton and Kundaje, Anshul",
        "Learning Important Features Through Propagating Activation Differences", "ICML 2017", "arXiv:1704.02685",
    ),
    Reference(
        "Achtibat et al. 2024", "Achtibat, Reduan and others",
        "AttnLRP: Attention-Aware Layer-Wise Relevance Propagation for Transformers", "ICML 2024", "arXiv:2402.05602",
    ),
    Reference(
        "Li et al. 2016", "Li, Jiwei and Monroe, Will and Jurafsky, Dan",
        "Understanding Neural Networks through Representation Erasure", "", "arXiv:1612.08220",
    ),
    Reference(
        "Ribeiro et al. 2016", "Ribeiro, Marco Tulio and Singh, Sameer and Guestrin, Carlos",
        "Why Should I Trust You? Explaining the Predictions of Any Classifier", "KDD 2016", "arXiv:1602.04938",
    ),
    Reference(
        "Covert & Lee 2021", "Covert, Ian and Lee, Su-In",
        "Improving KernelSHAP: Practical Shapley Value Estimation via Linear Regression",
        "AISTATS 2021", "arXiv:2012.01536",
    ),
    Reference(
        "Castro et al. 2009", "Castro, Javier and Gómez, Daniel and Tejada, Juan",
        "Polynomial calculation of the Shapley value based on sampling",
        "Computers & Operations Research 36", "doi:10.1016/j.cor.2008.04.004",
    ),
    Reference(
        "Strumbelj & Kononenko 2014", "Štrumbelj, Erik and Kononenko, Igor",
        "Explaining prediction models and individual predictions with feature contributions",
        "Knowledge and Information Systems 41", "doi:10.1007/s10115-013-0679-x",
    ),
    Reference(
        "Arras et al. 2017",
        "Arras, Leila and Montavon, Grégoire and Müller, Klaus-Robert and Samek, Wojciech",
        "Explaining Recurrent Neural Network Predictions in Sentiment Analysis", "WASSA 2017", "arXiv:1706.07206",
    ),
    Reference(
        "Murdoch et al. 2018", "Murdoch, W. James and Liu, Peter J. and Yu, Bin",
        "Beyond Word Importance: Contextual Decomposition to Extract Interactions from LSTMs",
        "ICLR 2018", "arXiv:1801.05453",
    ),
)  # fmt: skip
_METRICS = (
    Reference(
        "DeYoung et al. 2020", "DeYoung, Jay and others", "ERASER: A Benchmark to Evaluate Rationalized NLP Models",
        "ACL 2020", "arXiv:1911.03429",
    ),
    Reference(
        "Chen et al. 2020", "Chen, Hanjie and Zheng, Guangtao and Ji, Yangfeng",
        "Generating Hierarchical Explanations on Text Classification via Feature Interaction Detection",
        "ACL 2020", "arXiv:2004.02015",
    ),
    Reference(
        "Samek et al. 2017", "Samek, Wojciech and others",
        "Evaluating the visualization of what a Deep Neural Network has learned",
        "IEEE Transactions on Neural Networks and Learning Systems 28", "arXiv:1509.06321",
    ),
    Reference(
        "Nguyen 2018", "Nguyen, Dong",
        "Comparing Automatic and Human Evaluation of Local Explanations for Text Classification",
        "NAACL 2018", "aclanthology.org/N18-1097",
    ),
    Reference(
        "Petsiuk et al. 2018", "Petsiuk, Vitali and Das, Abir and Saenko, Kate",
        "RISE: Randomized Input Sampling for Explanation of Black-box Models", "BMVC 2018", "arXiv:1806.07421",
    ),
    Reference(
        "Serrano & Smith 2019", "Serrano, Sofia and Smith, Noah A.", "Is Attention Interpretable?",
        "ACL 2019", "arXiv:1906.03731",
    ),
    Reference(
        "Chrysostomou & Aletras 2021", "Chrysostomou, George and Aletras, Nikolaos",
        "Improving the Faithfulness of Attention-based Explanations with Task-specific Information for Text "
        "Classification", "ACL 2021", "arXiv:2105.02657",
    ),
    Reference(
        "Luss et al. 2019", "Luss, Ronny and others",
        "Generating Contrastive Explanations with Monotonic Attribute Functions", "", "arXiv:1905.12698",
    ),
    Reference(
        "Arya et al. 2019", "Arya, Vijay and others",
        "One Explanation Does Not Fit All: A Toolkit and Taxonomy of AI Explainability Techniques",
        "", "arXiv:1909.03012",
    ),
    Reference(
        "Jain & Wallace 2019", "Jain, Sarthak and Wallace, Byron C.", "Attention is not Explanation",
        "NAACL 2019", "arXiv:1902.10186",
    ),
    Reference(
        "Attanasio et al. 2023", "Attanasio, Giuseppe and others",
        "ferret: a Framework for Benchmarking Explainers on Transformers", "EACL 2023", "arXiv:2208.01575",
    ),
    Reference(
        "Yeh et al. 2019", "Yeh, Chih-Kuan and others", "On the (In)fidelity and Sensitivity of Explanations",
        "NeurIPS 2019", "arXiv:1901.09392",
    ),
    Reference(
        "Zhang et al. 2016", "Zhang, Jianming and others", "Top-down Neural Attention by Excitation Backprop",
        "ECCV 2016", "arXiv:1608.00507",
    ),
    Reference(
        "Kendall 1945", "Kendall, Maurice G.", "The Treatment of Ties in Ranking Problems", "Biometrika 33:239-251",
    ),
    Reference(
        "Spearman 1904", "Spearman, Charles", "The Proof and Measurement of Association between Two Things",
        "American Journal of Psychology 15:72-101",
    ),
)  # fmt: skip
_STATISTICS = (
    Reference(
        "Hase & Bansal 2020", "Hase, Peter and Bansal, Mohit",
        "Evaluating Explainable AI: Which Algorithmic Explanations Help Users Predict Model Behavior?",
        "ACL 2020", "arXiv:2005.01831",
    ),
    Reference(
        "Schuff et al. 2022", "Schuff, Hendrik and others",
        "Human Interpretation of Saliency-based Explanation Over Text", "FAccT 2022", "arXiv:2201.11569",
    ),
    Reference(
        "Belz & Thomson 2024", "Belz, Anya and Thomson, Craig",
        "HEDS 3.0: The Human Evaluation Data Sheet Version 3.0", "GEM 2025", "arXiv:2412.07940",
    ),
    Reference(
        "Wilson 1927", "Wilson, Edwin B.", "Probable Inference, the Law of Succession, and Statistical Inference",
        "Journal of the American Statistical Association 22:209-212",
    ),
    Reference(
        "McNemar 1947", "McNemar, Quinn",
        "Note on the sampling error of the difference between correlated proportions or percentages",
        "Psychometrika 12:153-157",
    ),
    Reference("Fisher 1935", "Fisher, Ronald A.", "The Design of Experiments", "Oliver and Boyd"),
    Reference(
        "Friedman 1937", "Friedman, Milton",
        "The Use of Ranks to Avoid the Assumption of Normality Implicit in the Analysis of Variance",
        "Journal of the American Statistical Association 32:675-701",
    ),
    Reference(
        "Holm 1979", "Holm, Sture", "A Simple Sequentially Rejective Multiple Test Procedure",
        "Scandinavian Journal of Statistics 6:65-70",
    ),
    Reference(
        "Efron & Tibshirani 1993", "Efron, Bradley and Tibshirani, Robert J.", "An Introduction to the Bootstrap",
        "Chapman & Hall",
    ),
    Reference(
        "Owen 2007", "Owen, Art B.", "The pigeonhole bootstrap", "Annals of Applied Statistics 1:386-411",
    ),
    Reference(
        "Cameron et al. 2011", "Cameron, A. Colin and Gelbach, Jonah B. and Miller, Douglas L.",
        "Robust Inference With Multiway Clustering", "Journal of Business & Economic Statistics 29:238-249",
    ),
    Reference(
        "Wilcoxon 1945", "Wilcoxon, Frank", "Individual Comparisons by Ranking Methods",
        "Biometrics Bulletin 1:80-83",
    ),
    Reference(
        "Durkalski et al. 2003",
        "Durkalski, Valerie L. and Palesch, Yuko Y. and Lipsitz, Stuart R. and Rust, Philip F.",
        "Analysis of clustered matched-pair data", "Statistics in Medicine 22:2417-2428",
    ),
    Reference(
        "Benjamini & Hochberg 1995", "Benjamini, Yoav and Hochberg, Yosef",
        "Controlling the False Discovery Rate: A Practical and Powerful Approach to Multiple Testing",
        "Journal of the Royal Statistical Society B 57:289-300",
    ),
    Reference(
        "Demsar 2006", "Demšar, Janez", "Statistical Comparisons of Classifiers over Multiple Data Sets",
        "Journal of Machine Learning Research 7:1-30",
    ),
    Reference(
        "Bradley & Terry 1952", "Bradley, Ralph Allan and Terry, Milton E.",
        "Rank Analysis of Incomplete Block Designs: I. The Method of Paired Comparisons", "Biometrika 39:324-345",
    ),
    Reference(
        "Davidson 1970", "Davidson, Roger R.",
        "On Extending the Bradley-Terry Model to Accommodate Ties in Paired Comparison Experiments",
        "Journal of the American Statistical Association 65:317-328",
    ),
    Reference(
        "Fleiss 1971", "Fleiss, Joseph L.", "Measuring nominal scale agreement among many raters",
        "Psychological Bulletin 76:378-382",
    ),
    Reference(
        "Cohen 1960", "Cohen, Jacob", "A Coefficient of Agreement for Nominal Scales",
        "Educational and Psychological Measurement 20:37-46",
    ),
    Reference(
        "Gwet 2008", "Gwet, Kilem Li",
        "Computing inter-rater reliability and its variance in the presence of high agreement",
        "British Journal of Mathematical and Statistical Psychology 61:29-48",
    ),
    Reference(
        "Shrout & Fleiss 1979", "Shrout, Patrick E. and Fleiss, Joseph L.",
        "Intraclass correlations: Uses in assessing rater reliability", "Psychological Bulletin 86:420-428",
    ),
    Reference(
        "Dawid & Skene 1979", "Dawid, A. P. and Skene, A. M.",
        "Maximum Likelihood Estimation of Observer Error-Rates Using the EM Algorithm",
        "Journal of the Royal Statistical Society C 28:20-28", "doi:10.2307/2346806",
    ),
    Reference(
        "Whitehill et al. 2009", "Whitehill, Jacob and others",
        "Whose Vote Should Count More: Optimal Integration of Labels from Labelers of Unknown Expertise",
        "NIPS 22:2035-2043",
    ),
    Reference(
        "Hovy et al. 2013", "Hovy, Dirk and others", "Learning Whom to Trust with MACE",
        "NAACL 2013", "aclanthology.org/N13-1132",
    ),
    Reference(
        "Bates et al. 2015", "Bates, Douglas and others", "Fitting Linear Mixed-Effects Models Using lme4",
        "Journal of Statistical Software 67(1)", "doi:10.18637/jss.v067.i01",
    ),
    Reference(
        "Krippendorff 2011", "Krippendorff, Klaus", "Computing Krippendorff's Alpha-Reliability",
        "University of Pennsylvania",
    ),
)  # fmt: skip
REFERENCES: dict[str, Reference] = {one.name: one for one in _all()}
