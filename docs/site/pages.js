// Which documents of the repository are pages of the site, where each of them is, and the sidebar. pages.json lists them by Diátaxis'
// four kinds, and those for contributors.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The top of the repository. */
export const top = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

const sections = JSON.parse(readFileSync(new URL('pages.json', import.meta.url), 'utf8'));

/** The documents of an entry: `folder/*.md` means all of the folder but its README. */
function expand(entry) {
  if (!entry.endsWith('/*.md')) {
    if (!existsSync(join(top, entry))) throw new Error(`pages.json names ${entry}, which does not exist`);
    return [entry];
  }
  const folder = dirname(entry);
  const names = readdirSync(join(top, folder)).filter((name) => name.endsWith('.md') && name !== 'README.md');
  return names.sort().map((name) => `${folder}/${name}`);
}

/** The front page, which is also the index of `docs` for those who read it in the repository. */
const FRONT = 'docs/README.md';

/** The path of a document in the site, without the base. */
function pathOf(document) {
  if (document === FRONT) return 'index.md';
  if (document === 'README.md') return 'overview.md';
  const path = document.toLowerCase();
  if (path.startsWith('docs/')) return path.slice('docs/'.length).replace(/readme\.md$/, 'index.md');
  return path.replace(/\/readme\.md$/, '.md');
}

/** The first heading of a document, as plain text. */
function titleOf(document) {
  const [, title] = /^# (.+)$/m.exec(readFileSync(join(top, document), 'utf8')) ?? [];
  if (!title) throw new Error(`${document} has no heading`);
  return title.replace(/`/g, '').replace(/^ADR 0*(\d+): /, '$1. ');
}

const entries = Object.values(sections).flatMap((groups) => Object.values(groups).flat());

/** From a document to its path in the site. */
export const paths = Object.fromEntries([FRONT, ...entries.flatMap(expand)].map((document) => [document, pathOf(document)]));

/** Folders of documents are left to the table in their README: the sidebar is part of each page, and they would double it. */
export const sidebar = Object.entries(sections).map(([text, groups]) => ({
  text,
  items: Object.entries(groups).map(([text, items]) => ({
    text,
    items: items.filter((entry) => !entry.endsWith('/*.md')).map((document) => ({ text: titleOf(document), link: `/${paths[document]}` })),
  })),
}));

/** The folders and documents at the top of the repository that have no page, so that they are not searched for any. */
export const excluded = () => {
  const used = new Set(Object.keys(paths).map((document) => document.split('/')[0]));
  const unused = readdirSync(top, { withFileTypes: true }).filter(({ name }) => !used.has(name));
  const unlisted = (folder) =>
    readdirSync(join(top, folder), { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      const isUsed = Object.keys(paths).some((document) => document === path || document.startsWith(`${path}/`));
      if (entry.isDirectory()) return isUsed ? unlisted(path) : [`${path}/**`];
      return entry.name.endsWith('.md') && !isUsed ? [path] : [];
    });
  return [...unused.map((entry) => (entry.isDirectory() ? `${entry.name}/**` : entry.name)), ...[...used].filter((name) => !name.endsWith('.md')).flatMap(unlisted)];
};
