// What the documents' Markdown means on the site. The documents are read in the repository as well: their links lead from file to
// file, and comments mark code blocks for the tests.
import { dirname, join, relative } from 'node:path';

import { paths, top } from './pages.js';

/** Files that the service itself shows. */
const SERVED = { 'openapi.json': '/openapi.json' };

/** Documents whose content is a page of another name. */
const SHOWN_AS = { 'config/lectern.toml': 'reference/settings.md' };

/** Where a link of a document leads: an address and whether VitePress knows it, or `null` for a file that only the repository has. */
function destination(href, document) {
  if (/^[a-z]+:/.test(href)) {
    // The documents name the demo's address; on the site, that is the service that one reads it from.
    const [, path] = /^http:\/\/127\.0\.0\.1:8080(\/.*)$/.exec(href) ?? [];
    return path ? { href: path, isServed: true } : { href };
  }
  if (href.startsWith('#')) return { href };
  const [file, anchor] = href.split('#');
  const target = relative(top, join(dirname(document), file)).replace(/\/$/, '');
  if (SERVED[target]) return { href: SERVED[target], isServed: true };
  const path = paths[target] ?? paths[`${target}/README.md`] ?? SHOWN_AS[target];
  return path ? { href: `/${path}${anchor ? `#${anchor}` : ''}` } : null;
}

/** Comments on lines of their own are for the tests; raw HTML is not allowed. */
function dropComments(md) {
  md.block.ruler.before('paragraph', 'comment', (state, line, _end, silent) => {
    const begin = state.bMarks[line] + state.tShift[line];
    if (!state.src.startsWith('<!--', begin)) return false;
    const end = state.src.indexOf('-->', begin);
    if (end < 0) return false;
    if (!silent) {
      while (line < state.lineMax && state.bMarks[line] < end) line += 1;
      state.line = line;
    }
    return true;
  }, { alt: ['paragraph', 'reference', 'blockquote', 'list'] });
}

function followLinks(md) {
  md.core.ruler.push('destinations', ({ tokens, env }) => {
    const document = env.realPath ?? env.path;
    for (const { children } of tokens) {
      let isDropped = false;
      for (const token of children ?? []) {
        if (token.type === 'link_close' && isDropped) {
          Object.assign(token, { type: 'source_close', tag: 'span' });
          isDropped = false;
        }
        if (token.type !== 'link_open') continue;
        const found = destination(decodeURI(token.attrGet('href')), document);
        if (found) token.attrSet('href', found.href);
        if (found?.isServed) token.attrSet('data-served', '');
        if (!found) {
          isDropped = true;
          Object.assign(token, { type: 'source_open', tag: 'span', attrs: [['class', 'source-file']] });
        }
      }
    }
  });
  const open = md.renderer.rules.link_open;
  md.renderer.rules.link_open = (tokens, index, options, env, self) =>
    // Not under the site's base, and not a page that its router knows.
    tokens[index].attrGet('data-served') === null ? open(tokens, index, options, env, self) : `<a href="${tokens[index].attrGet('href')}" target="_self">`;
}

/** Wide tables scroll, also by keyboard. */
function scrollTables(md) {
  md.renderer.rules.table_open = () => '<div class="table" tabindex="0" role="group" aria-label="Table"><table>';
  md.renderer.rules.table_close = () => '</table></div>';
}

/** The anchor of a heading, by the rules of those who show the documents in repositories, so that links are right in both places. */
export const slugify = (text) => text.trim().toLowerCase().replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '').replace(/ /g, '-');

/** A heading of a table that says nothing is a cell. */
function fillHeadings(md) {
  md.core.ruler.push('empty-headings', ({ tokens }) => {
    for (const [index, token] of tokens.entries()) {
      if (token.type !== 'th_open' || tokens[index + 1].content.trim()) continue;
      for (const part of [token, tokens[index + 2]]) part.tag = 'td';
    }
  });
}

export function configure(md) {
  fillHeadings(md);
  dropComments(md);
  followLinks(md);
  scrollTables(md);
}
