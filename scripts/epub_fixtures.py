"""Small documents of several kinds, from which `published_epubs.py` has books made.

The EPUB 3 has what an element around a word must not break: nested and interrupted phrasing, ruby, tables, links, pictures
with text, ids that look like those that are added, and text outside of any paragraph. The EPUB 2 has obsolete markup, which
has to become a valid EPUB 3. Standard library only.
"""

import io
import zipfile

import sample_book

STAMP = (2026, 11, 21, 0, 0, 0)
CONTAINER = """<?xml version="1.0" encoding="UTF-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles><rootfile full-path="OEBPS/my%20book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>
"""

HARD_PACKAGE = """<?xml version="1.0" encoding="UTF-8"?>
<opf:package xmlns:opf="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" prefix="foaf: http://xmlns.com/foaf/spec/">
 <opf:metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
  <dc:identifier id="id">urn:isbn:9783161484100</dc:identifier>
  <dc:title id="spoken-title">Hard &amp; harder</dc:title>
  <dc:language>en</dc:language><dc:language>fr</dc:language>
  <dc:creator id="who">A. Writer</dc:creator><opf:meta refines="#who" property="role" scheme="marc:relators">aut</opf:meta>
  <opf:meta property="schema:accessMode">textual</opf:meta>
  <opf:meta property="schema:accessibilityFeature">tableOfContents</opf:meta>
  <opf:meta property="dcterms:modified">2001-01-01T00:00:00Z</opf:meta>
  <opf:meta name="cover" content="picture"/>
 </opf:metadata>
 <opf:manifest>
  <opf:item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
  <opf:item id="spoken-1" href="one%20night.xhtml" media-type="application/xhtml+xml" properties="mathml svg"/>
  <opf:item id="two" href="text/two.xhtml" media-type="application/xhtml+xml"/>
  <opf:item id="imprint" href="text/imprint.xhtml" media-type="application/xhtml+xml"/>
  <opf:item id="credits" href="text/credits.xhtml" media-type="application/xhtml+xml"/>
  <opf:item id="style" href="style.css" media-type="text/css"/>
  <opf:item id="picture" href="cover.png" media-type="image/png" properties="cover-image"/>
  <opf:item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>
 </opf:manifest>
 <opf:spine toc="ncx"><opf:itemref idref="nav"/><opf:itemref idref="imprint"/><opf:itemref idref="credits"/><opf:itemref idref="spoken-1"/><opf:itemref idref="two"/></opf:spine>
 <opf:guide><opf:reference type="copyright-page" title="Imprint" href="text/imprint.xhtml"/><opf:reference type="text" title="Start" href="one%20night.xhtml"/></opf:guide>
</opf:package>
"""

HARD_NAV = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title>Contents</title></head><body>
<nav epub:type="toc"><ol><li><a href="text/imprint.xhtml">Imprint</a></li><li><a href="text/credits.xhtml">Credits</a></li><li><a href="one%20night.xhtml#w1">One night</a></li><li><a href="text/two.xhtml">Two</a></li></ol></nav>
<nav epub:type="landmarks"><ol><li><a epub:type="imprint" href="text/imprint.xhtml">Imprint</a></li></ol></nav>
</body></html>
"""

HARD_NCX = """<?xml version="1.0" encoding="UTF-8"?>
<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/" version="2005-1"><head><meta name="dtb:uid" content="urn:isbn:9783161484100"/></head>
<docTitle><text>Hard</text></docTitle><navMap>
<navPoint id="n0" playOrder="1"><navLabel><text>Imprint</text></navLabel><content src="text/imprint.xhtml"/></navPoint>
<navPoint id="n1" playOrder="2"><navLabel><text>One night</text></navLabel><content src="one%20night.xhtml#w1"/></navPoint>
<navPoint id="n2" playOrder="3"><navLabel><text>Two</text></navLabel><content src="text/two.xhtml"/></navPoint></navMap></ncx>
"""

HARD_ONE = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="en" xml:lang="en">
<head><title>One night</title><link rel="stylesheet" href="style.css"/></head>
<body id="lt1">
<section epub:type="chapter" class="w2"><hgroup><h1 id="w1">One <em>night</em></h1><p>A begin<b>ning</b></p></hgroup>
<p class="s1"><span class="drop">I</span>t was&#160;dark, she sai<b>d</b>; <i>very dark, and
very late.</i><a epub:type="noteref" href="#note"><sup>1</sup></a> &#8220;Caf&#233;?&#x201D; he asked&#8212;twice.<br/>Nobody<wbr/>answered.</p>
<p>A sentence <a href="text/two.xhtml">that has a link. And</a> a second <q>one; <em>it <strong>nests <i>deeply</i></strong></em>.</q> Done.</p>
<p>In <time>May 1895</time> and <time datetime="1895-06-01">June</time> of <abbr title="Anno Domini">A.D.</abbr> the sum was
<math xmlns="http://www.w3.org/1998/Math/MathML"><mi>x</mi><mo>=</mo><mn>2</mn></math>, they say.</p>
<ruby>\u6f22<rp>(</rp><rt>kan</rt><rp>)</rp>\u5b57<rt>ji</rt></ruby> stands outside of a paragraph, and
<bdo dir="ltr">so</bdo> does <del>this</del> <ins>that</ins>.
<figure><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><title>A circle</title><circle r="4"/><text>round</text></svg>
<figcaption>A caption with <span epub:type="pagebreak" id="page7" role="doc-pagebreak" aria-label="7"/>a page.</figcaption></figure>
<table><caption>A table</caption><thead><tr><th>Word</th><th>Number</th></tr></thead><tbody><tr><td>one</td><td><p>Two.</p></td></tr></tbody></table>
<ul><li>First item</li><li>Second <ol><li>nested</li></ol> item</li></ul><dl><dt>Term</dt><dd>Its meaning.</dd></dl>
<details><summary>More</summary>Hidden words.</details><pre>kept   as
it is</pre><label>Name: <select><option>one</option></select></label> <button type="button">Press</button>
<object data="cover.png" type="image/png">Other text</object><video><p>No video.</p></video>
<aside epub:type="footnote" id="note"><p>The note.</p></aside><hr/></section></body></html>
"""

HARD_TWO = """<html xmlns="http://www.w3.org/1999/xhtml"><head><title>Two</title></head><body><div>Text in a block <div>inside another.</div> And after it.
<blockquote>Said <cite>somebody</cite>: <code>a &lt; b &amp;&amp; c</code>.</blockquote></div><!-- a comment --><address>Here.</address>
<p>See the <a href="credits.xhtml">credits</a>.</p><p lang="fr" xml:lang="fr">Une phrase. <span lang="en" xml:lang="en">One more.</span></p></body></html>
"""

# Of the two that are left out, a chapter links to the second.
HARD_IMPRINT = """<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title>Imprint</title></head>
<body epub:type="imprint"><section epub:type="imprint"><p>First printed by a press that no longer stands.</p></section></body></html>
"""

HARD_CREDITS = """<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title>Credits</title></head>
<body epub:type="copyright-page"><section epub:type="copyright-page"><p>All rights belong to whoever drew the lamp on the cover.</p></section></body></html>
"""

OLD_PACKAGE = """<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="2.0" unique-identifier="id">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:opf="http://www.idpf.org/2007/opf">
<dc:title>The Old Book</dc:title><dc:language>en</dc:language><dc:creator opf:role="aut">An Author</dc:creator>
<dc:identifier id="id" opf:scheme="ISBN">0306406152</dc:identifier><dc:date opf:event="publication">1999</dc:date></metadata>
<manifest><item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>
<item id="one" href="one%20night.xhtml" media-type="application/xhtml+xml"/><item id="p" href="cover.png" media-type="image/png"/></manifest>
<spine toc="ncx"><itemref idref="one"/></spine></package>
"""

OLD_NCX = """<?xml version="1.0" encoding="UTF-8"?>
<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/" version="2005-1"><head><meta name="dtb:uid" content="0306406152"/></head>
<docTitle><text>Old</text></docTitle><navMap><navPoint id="n1" playOrder="1"><navLabel><text>One</text></navLabel>
<content src="one%20night.xhtml"/></navPoint></navMap></ncx>
"""

OLD_ONE = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN" "http://www.w3.org/TR/xhtml11/DTD/xhtml11.dtd">
<html xmlns="http://www.w3.org/1999/xhtml"><head><title>One</title></head><body><h2>Chapter 1</h2>
<p><tt>It rained</tt> &amp; it <big>poured</big>. <acronym>N.B.</acronym> Nobody &lt;came&gt;.</p><p><img src="cover.png" alt="A picture"/></p></body></html>
"""

DOCUMENT = """<?xml version="1.0" encoding="UTF-8"?>
<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>
<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>The First &amp; Last</w:t></w:r></w:p>
<w:p><w:r><w:t xml:space="preserve">It was said \u2014 twice. </w:t></w:r><w:r><w:br/><w:t>A new line; a "quote".</w:t></w:r></w:p>
<w:p><w:pPr><w:pStyle w:val="Heading2"/></w:pPr><w:r><w:t>A Part</w:t></w:r></w:p><w:p><w:r><w:t>\u00ab\u202fOui\u202f\u00bb, no more.</w:t></w:r></w:p>
</w:body></w:document>
"""
STYLES = """<?xml version="1.0" encoding="UTF-8"?>
<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">
<w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style>
<w:style w:type="paragraph" w:styleId="Heading2"><w:name w:val="heading 2"/></w:style></w:styles>
"""
TYPES = """<?xml version="1.0" encoding="UTF-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/>
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>
"""
RELATIONS = """<?xml version="1.0" encoding="UTF-8"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Target="word/document.xml"
Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"/></Relationships>
"""

PAGE = """<!DOCTYPE html><html lang=en><title>A page</title><h1>Soup &amp; tags</h1><p>One <b>two <i>three</b> four</i>.
<p>&ldquo;Quoted&rdquo; &#x1F600; &copy; 2026<ul><li>an item</ul><h2>Next</h2><p>The end.
"""

TEXT = "Chapter 1\n\nA < b & c > d, she said. \u201cTwo\u201d sentences.\n\n* * *\n\nChapter 2\n\nThe end\u2026 is \u202eodd\u202c.\n"


def zipped(members):
    """A ZIP; a member `mimetype` is stored, as EPUB wants it."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in members.items():
            member = zipfile.ZipInfo(name, STAMP)
            member.compress_type = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            archive.writestr(member, content)
    return out.getvalue()


def epub(**members):
    return zipped({"mimetype": "application/epub+zip", "META-INF/container.xml": CONTAINER, **members})


def documents():
    """The documents by the names of their files."""
    picture = sample_book.cover(60, 80)
    hard = epub(**{
        "OEBPS/my book.opf": HARD_PACKAGE, "OEBPS/nav.xhtml": HARD_NAV, "OEBPS/toc.ncx": HARD_NCX, "OEBPS/one night.xhtml": HARD_ONE,
        "OEBPS/text/two.xhtml": HARD_TWO, "OEBPS/text/imprint.xhtml": HARD_IMPRINT,
        "OEBPS/text/credits.xhtml": HARD_CREDITS, "OEBPS/style.css": "p { margin: 0 }", "OEBPS/cover.png": picture,
    })
    old = epub(**{
        "OEBPS/my book.opf": OLD_PACKAGE, "OEBPS/toc.ncx": OLD_NCX, "OEBPS/one night.xhtml": OLD_ONE, "OEBPS/cover.png": picture,
    })
    word = zipped({"[Content_Types].xml": TYPES, "_rels/.rels": RELATIONS, "word/document.xml": DOCUMENT, "word/styles.xml": STYLES})
    return {"hard.epub": hard, "old.epub": old, "word.docx": word, "page.html": PAGE.encode(), "text.txt": TEXT.encode()}
