// Lists, tasks, and where a sign-in may lead.
import './browser';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../../src/api/error';
import { PagedList } from '../../src/state/list.svelte';
import { safeNext } from '../../src/state/router.svelte';
import { Task } from '../../src/state/task.svelte';

type Row = { id: number; done: boolean };
/** A service with rows in descending order, and a list of them. */
function fakeList(count: number) {
  const service = {
    rows: Array.from({ length: count }, (_, index): Row => ({ id: count - index, done: true })),
    requests: [] as string[],
    isDown: false,
  };
  const list = new PagedList<Row>({
    name: `list of ${count}`,
    key: (row) => String(row.id),
    fetchPage: async ({ limit, cursor }) => {
      service.requests.push(`page of ${limit}`);
      if (service.isDown) throw new ApiError('unreachable', '', 0);
      const start = cursor ? service.rows.findIndex((row) => row.id === Number(cursor)) + 1 : 0;
      const data = service.rows.slice(start, start + limit);
      return { data: [...data], next_cursor: start + limit < service.rows.length ? String(data.at(-1)?.id) : null };
    },
    isUnfinished: (row) => !row.done,
    fetchRow: async ({ id }) => {
      service.requests.push(`row ${id}`);
      const row = service.rows.find((candidate) => candidate.id === id);
      if (!row) throw new ApiError('not_found', '', 404);
      return row;
    },
  });
  return { service, list, ids: () => (list.rows ?? []).map((row) => row.id) };
}

test('a list is loaded page by page, to its end', async () => {
  const { list, service, ids } = fakeList(180);
  await list.load();
  assert.deepEqual([ids().length, ids()[0], list.cursor], [50, 180, '131'] as unknown[]);
  await list.loadMore();
  await list.loadMore();
  assert.deepEqual([ids().length, ids().at(-1), list.cursor], [180, 1, null] as unknown[]);
  assert.deepEqual(service.requests, ['page of 50', 'page of 100', 'page of 100']);
});

test('a row that has moved to a later page stands in the list once', async () => {
  const { list, service, ids } = fakeList(120);
  await list.load();
  // The row at the end of the first page moves down, as after a change of what it is sorted by.
  const [moved] = service.rows.splice(10, 1);
  service.rows.splice(60, 0, moved!);
  await list.loadMore();
  assert.equal(new Set(ids()).size, ids().length);
  assert.equal(ids().length, 120);
});

// Negative control: when `refresh` calls `load`, all 180 rows are fetched again.
test('a refresh fetches the first page and unfinished rows below it', async () => {
  const { list, service, ids } = fakeList(180);
  service.rows[120] = { id: 60, done: false };
  service.rows[130] = { id: 50, done: false };
  await list.load();
  await list.loadAll();
  service.requests.length = 0;
  // Two rows are new, one was deleted from the first page, one below it is finished and one is gone.
  service.rows[120] = { id: 60, done: true };
  service.rows = [{ id: 182, done: true }, { id: 181, done: true }, ...service.rows.filter((row) => row.id !== 175 && row.id !== 50)];
  await list.refresh();
  assert.deepEqual(service.requests, ['page of 50', 'row 60', 'row 50']);
  assert.deepEqual(ids(), service.rows.map((row) => row.id));
  assert.equal(list.rows?.find((row) => row.id === 60)?.done, true);
});

test('a refresh reloads the list when more rows are new than fit on a page', async () => {
  const { list, service, ids } = fakeList(80);
  await list.load();
  await list.loadAll();
  service.rows = [...Array.from({ length: 60 }, (_, index) => ({ id: 140 - index, done: true })), ...service.rows];
  await list.refresh();
  assert.deepEqual(ids(), service.rows.slice(0, 80).map((row) => row.id));
});

test('a failed load is reported, and a failed refresh leaves the list as it is', async () => {
  const { list, service, ids } = fakeList(30);
  service.isDown = true;
  await list.load();
  assert.ok(list.error instanceof ApiError && list.rows === null && !list.busy);
  service.isDown = false;
  await list.load();
  service.isDown = true;
  await assert.rejects(list.refresh());
  assert.deepEqual([ids().length, list.error], [30, null] as unknown[]);
});

test('a task is busy while it runs, and keeps its error until the next run', async () => {
  const task = new Task();
  const failed = task.run(() => Promise.reject(new ApiError('rate_limited', '', 429)));
  assert.ok(task.busy);
  assert.deepEqual([await failed, task.busy, task.error instanceof ApiError], [false, false, true]);
  assert.deepEqual([await task.run(async () => undefined), task.error], [true, null] as unknown[]);
});

// Negative control: it fails when `safeNext` returns its argument.
test('a sign-in leads only to pages of the application', () => {
  for (const next of ['//evil.example', 'https://evil.example', '/\\evil.example', 'javascript:alert(1)', '/v1/saas/me', '/x/../v1/bff/me', '/sign-in', null]) {
    assert.equal(safeNext(next), '/', String(next));
  }
  assert.equal(safeNext('/credits?purchase=pur_1'), '/credits?purchase=pur_1');
});
