// A small EPUB 3, made of texts, and a picture for its cover. The files of the EPUB are stored, not compressed.
import { deflateSync } from 'node:zlib';

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});
const crc32 = (bytes) => ~bytes.reduce((crc, byte) => TABLE[(crc ^ byte) & 255] ^ (crc >>> 8), ~0) >>> 0;

/** A ZIP archive of `[name, text]` pairs. */
function zip(files) {
  const [parts, directory] = [[], []];
  let offset = 0;
  for (const [name, text] of files) {
    const [path, data] = [Buffer.from(name), Buffer.from(text)];
    const sums = Buffer.alloc(12);
    sums.writeUInt32LE(crc32(data), 0);
    sums.writeUInt32LE(data.length, 4);
    sums.writeUInt32LE(data.length, 8);
    // Version 2.0, no flags, stored, the earliest date.
    const common = Buffer.concat([Buffer.from([20, 0, 0, 0, 0, 0, 0, 0, 33, 0]), sums, Buffer.from([path.length, 0, 0, 0])]);
    const entry = Buffer.concat([Buffer.from('PK\x03\x04'), common, path, data]);
    const place = Buffer.alloc(4);
    place.writeUInt32LE(offset);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, Buffer.alloc(10), place, path]));
    parts.push(entry);
    offset += entry.length;
  }
  const index = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(index.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, index, end]);
}

const page = (title, body, type) => `<?xml version="1.0" encoding="UTF-8"?>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="en"><head><title>${title}</title></head>
<body${type ? ` epub:type="${type}"` : ''}>${body}</body></html>`;

/** `chapters`: `[title, body, epub:type]`; the body is XHTML. */
export function makeEpub({ title, author, chapters }) {
  const ids = chapters.map((_, at) => `c${at + 1}`);
  const items = ids.map((id) => `<item id="${id}" href="${id}.xhtml" media-type="application/xhtml+xml"/>`).join('');
  const links = chapters.map(([name], at) => `<li><a href="${ids[at]}.xhtml">${name}</a></li>`).join('');
  return zip([
    ['mimetype', 'application/epub+zip'],
    ['META-INF/container.xml', '<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>'],
    ['book.opf', `<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">urn:uuid:6d2f0c3e-5a57-4f5c-9a5e-2f1b8a9c7d10</dc:identifier><dc:title>${title}</dc:title><dc:creator>${author}</dc:creator><dc:language>en</dc:language><meta property="dcterms:modified">2026-01-01T00:00:00Z</meta></metadata><manifest><item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>${items}</manifest><spine>${ids.map((id) => `<itemref idref="${id}"/>`).join('')}</spine></package>`],
    ['nav.xhtml', page('Contents', `<nav epub:type="toc"><ol>${links}</ol></nav>`)],
    ...chapters.map(([name, body, type], at) => [`${ids[at]}.xhtml`, page(name, `<h1>${name}</h1>${body}`, type)]),
  ]);
}

/** A PNG picture of one color. */
export function makePicture(width, height, [red, green, blue]) {
  const chunk = (kind, data) => {
    const [length, sum, body] = [Buffer.alloc(4), Buffer.alloc(4), Buffer.concat([Buffer.from(kind), data])];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // Eight bits a channel, three channels.
  head.set([8, 2], 8);
  const row = Buffer.concat([Buffer.alloc(1), Buffer.from(Array.from({ length: width }, () => [red, green, blue]).flat())]);
  const rows = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)));
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), chunk('IHDR', head), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]);
}
