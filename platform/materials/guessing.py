"""Which column of a file seems to hold what, by the names that people give: a proposal, never taken unasked."""

from collections.abc import Sequence

# The likeliest first; in English and in the languages that workers are spoken to in.
USUAL = {
    "text": (
        "text review comment sentence document content body tweet post message article headline passage utterance "
        "abstract question title review_text comment_text review_body full_text "
        "satz kommentar rezension dokument inhalt beitrag nachricht "
        "texto reseña oración frase comentario documento contenido mensaje "
        "texte avis phrase commentaire contenu "
        "テキスト 文章 文 本文 レビュー コメント 内容 文本 句子 评论 正文 文档 "
        "نص النص جملة الجملة تعليق التعليق مراجعة المراجعة محتوى المحتوى"
    ),
    "label": (
        "label gold_label gold sentiment class category target stars rating polarity emotion topic intent annotation "
        "label_text label_name "
        "etikett klasse kategorie stimmung sterne thema "
        "etiqueta clase categoría sentimiento estrellas tema "
        "étiquette classe catégorie étoiles thème "
        "ラベル クラス カテゴリ カテゴリー 感情 星 标签 类别 分类 情感 星级 "
        "تصنيف التصنيف فئة الفئة تسمية المشاعر"
    ),
    "id": "id text_id doc_id document_id review_id tweet_id uid uuid guid key kennung identifiant 編号 编号 番号",
    "language": "language lang locale sprache idioma langue 言語 语言 لغة اللغة",
    "rationale": "rationale rationales",
    "warning": "warning content_warning trigger_warning",
    "template": "template template_id",
    "edit_of": "edit_of",
}


def guess_column(found: Sequence[str], field: str) -> str:
    """The one column with the likeliest name, in any capitals; empty where there is none."""
    alike: dict[str, list[str]] = {}
    for column in found:
        alike.setdefault(_plain(column), []).append(column)
    likely = (alike.get(name, ()) for name in USUAL[field].split())
    return next((columns[0] for columns in likely if len(columns) == 1), "")


def _plain(column: str) -> str:
    return column.strip().casefold().replace(" ", "_").replace("-", "_")
