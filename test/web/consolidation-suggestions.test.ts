import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { until } from '../until.ts'
import { assertAccessible, inBrowser, openSite } from './site.ts'
import { makeEntity, makeGroup, makePolicy } from './unified-steps.ts'

interface Suggested {
  readonly total_count: number
  readonly data: readonly { readonly id: number; readonly first: string; readonly second: string }[]
}
interface Named {
  readonly data: readonly { readonly id: number; readonly name: string }[]
}
interface Stored {
  readonly data: { readonly meta: { readonly is_contributor_to: string | null } }
}

const PASSWORD = 'Quiet reeds at the water, 7 herons'
/** Titles of pairs that share one other name. */
const PAIRS = [
  ['Heron Group', 'Egret Team', 'Grey Sail'],
  ['Stork Crew', 'Crane Gang', 'Red Bill'],
  ['Ibis Ring', 'Bittern Circle', 'Long Reed'],
  ['Spoonbill Unit', 'Avocet Cell', 'Salt Pan'],
  ['Plover Desk', 'Dunlin Office', 'Low Tide'],
] as const

let site: Awaited<ReturnType<typeof openSite>>
before(async () => {
  if (!inBrowser.skip) site = await openSite()
})
after(() => site?.stop())

const openSuggestions = () =>
  site.call<Suggested>('GET', 'consolidation-suggestions?filter[state]=open&sort=id&limit=100')

/** Stores pairs of entities that share a name, and waits until they are suggested. Returns the source of the first of each pair. */
async function suggestPairs(): Promise<string> {
  const { source: open } = await makeGroup(site, 'Open feed')
  const { source: partner, group } = await makeGroup(site, 'Partner feed')
  await makePolicy(site, group, ['threat-actor', 'tool'])
  for (const [i, [one, other, shared]] of PAIRS.entries()) {
    const type = i === 4 ? 'tool' : 'threat-actor'
    const observables = [{ type: 'domain', value: 'reed.example' }]
    const description = `${one} sends mail from reed.example. `.repeat(i === 0 ? 20 : 1)
    const meta = { tlp_color: 'GREEN', source_reliability: 'B' }
    await makeEntity(
      site,
      open,
      { type, title: one, aliases: [shared, `${one} Prime`], description },
      { observables, meta },
    )
    await makeEntity(site, partner, { type, title: other, aliases: [shared.toUpperCase()] })
    await until(async () => (await openSuggestions()).total_count === i + 1, `pair ${i} was not suggested`)
  }
  return open
}

test('suggestions are reviewed with the keyboard, undone, skipped and decided in bulk', inBrowser, async () => {
  const { page, shot, assertQuiet } = await site.enter('/consolidation-suggestions')
  await page.getByText('No open suggestions').waitFor()
  await shot('suggestions-none')
  const open = await suggestPairs()
  const {
    data: [, , third, fourth],
  } = await openSuggestions()
  assert.ok(third && fourth)
  await page.goto(`${site.url}/consolidation-suggestions`)
  const shows = async (at: string, title: string) => {
    await page.getByText(at, { exact: true }).first().waitFor()
    await page.getByRole('heading', { level: 2, name: title }).waitFor()
  }
  await shows('1 of 5', 'Heron Group')
  await page.getByText('Both are called “Grey Sail”').waitFor()
  assert.equal(await page.locator('mark').count(), 2)
  const link = page.getByRole('link', { name: 'Open Heron Group in a new tab' })
  assert.equal(await link.getAttribute('target'), '_blank')
  await shot('suggestion')
  await assertAccessible(page, 'suggestion')

  await page.keyboard.press('?')
  await page.getByRole('dialog').getByText('The pair is not the same').waitFor()
  await page.keyboard.press('r')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await shows('1 of 5', 'Heron Group')

  await page.keyboard.press('r')
  await shows('2 of 5', 'Stork Crew')
  await page.getByRole('status').getByText('“Heron Group” and “Egret Team” are not the same.').waitFor()
  await until(async () => (await openSuggestions()).total_count === 4, 'the refusal was not stored')
  await page.keyboard.press('z')
  await shows('1 of 5', 'Heron Group')
  await page.getByRole('status').getByText('Undone. The suggestion is open again.').waitFor()
  assert.equal((await openSuggestions()).total_count, 5)
  await page.keyboard.press('r')
  await shows('2 of 5', 'Stork Crew')
  await page.keyboard.press('a')
  await shows('3 of 5', 'Ibis Ring')
  await until(async () => (await openSuggestions()).total_count === 3, 'the pair was not consolidated')
  await page.keyboard.press('z')
  await page.getByRole('status').getByText('Consolidating cannot be undone here.', { exact: false }).waitFor()
  await page.keyboard.press('ArrowLeft')
  await shows('2 of 5', 'Stork Crew')
  await page.getByText('Consolidated', { exact: true }).waitFor()
  assert.ok(await page.getByRole('button', { name: 'Not the same' }).isDisabled())
  await page.getByText('with 1 other entity').first().waitFor()
  await shot('suggestion-decided')
  await page.keyboard.press('s')
  await shows('3 of 5', 'Ibis Ring')
  await page.keyboard.press('ArrowRight')
  await shows('4 of 5', 'Spoonbill Unit')

  // Another user is faster.
  await site.call('POST', `consolidation-suggestions/${fourth.id}/refuse`)
  await page.getByRole('button', { name: 'Consolidate' }).click()
  await shows('5 of 5', 'Plover Desk')
  await page.getByRole('status').getByText('had already been decided', { exact: false }).waitFor()
  await page.reload()
  await shows('2 of 2', 'Plover Desk')
  await page.keyboard.press('s')
  await page.getByText('You have seen all suggestions.', { exact: false }).waitFor()
  await page.getByRole('button', { name: 'Show open suggestions' }).click()
  await shows('1 of 2', 'Ibis Ring')

  await page.getByRole('combobox', { name: 'Type' }).click()
  await page.getByRole('option', { name: 'Tool' }).click()
  await shows('1 of 1', 'Plover Desk')
  await page.goto(`${site.url}/consolidation-suggestions?reason=name&source=${open}`)
  await shows('1 of 2', 'Ibis Ring')
  await page.goto(`${site.url}/consolidation-suggestions?reason=pattern`)
  await page.getByText('No matching suggestions').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).first().click()
  await shows('1 of 2', 'Ibis Ring')

  await page.getByText('List', { exact: true }).click()
  const table = page.getByRole('table', { name: 'Suggestions' })
  await table
    .getByText('Both are called “Long Reed”', { exact: false })
    .or(table.getByText('Both are called “longreed”'))
    .waitFor()
  await shot('suggestion-list')
  await assertAccessible(page, 'list of suggestions')
  await page.getByRole('checkbox', { name: 'Select all suggestions' }).check()
  await page.getByRole('group', { name: 'Selected suggestions' }).getByRole('button', { name: 'Not the same' }).click()
  await page.getByText('2 suggestions refused').waitFor()
  await page.getByText('No open suggestions').waitFor()
  await page.getByRole('radiogroup', { name: 'State' }).getByText('Not the same').click()
  await table.getByRole('link', { name: 'Heron Group' }).waitFor()
  assert.equal(await table.getByRole('row').count(), 5)
  await page.getByRole('checkbox', { name: `Select suggestion ${third.id}` }).check()
  await page.getByRole('button', { name: 'Reopen' }).click()
  await page.getByText('1 suggestion reopened').waitFor()
  await until(async () => (await openSuggestions()).total_count === 1, 'the suggestion was not reopened')
  await page.getByRole('radiogroup', { name: 'State' }).getByText('Consolidated').click()
  await table.getByRole('link', { name: 'Stork Crew' }).waitFor()
  await shot('suggestion-list-accepted')
  assertQuiet()

  const { data: accepted } = await site.call<Suggested>('GET', 'consolidation-suggestions?filter[state]=accepted')
  for (const url of [accepted[0]?.first, accepted[0]?.second]) {
    const { data } = await site.call<Stored>('GET', `entities/${url?.split('/').at(-1)}`)
    assert.notEqual(data.meta.is_contributor_to, null)
  }
})

test('users who may only read entities see suggestions but cannot decide', inBrowser, async () => {
  const { data: permissions } = await site.call<Named>('GET', 'permissions?limit=100')
  const ids = permissions.filter(({ name }) => ['read entities', 'read extracts'].includes(name)).map(({ id }) => id)
  const role = await site.call<{ data: { id: number } }>('POST', 'roles', { data: { name: 'Looks', permissions: ids } })
  const { data: groups } = await site.call<Named>('GET', 'groups')
  const own = groups.filter(({ name }) => ['Open feed', 'Partner feed'].includes(name)).map(({ id }) => id)
  const reader = { username: 'suggestion-reader', password: PASSWORD }
  await site.call('POST', 'users', { data: { ...reader, roles: [role.data.id], groups: own } })
  const narrow = { viewport: { width: 420, height: 900 }, colorScheme: 'dark' as const }
  const { page, shot, assertQuiet } = await site.enter('/consolidation-suggestions', { ...reader, ...narrow })
  await page.getByText('1 of 1', { exact: true }).first().waitFor()
  await page.getByText('Deciding requires the permission “modify entities”.').waitFor()
  for (const name of ['Consolidate', 'Not the same', 'Undo'])
    assert.equal(await page.getByRole('button', { name }).count(), 0)
  await page.keyboard.press('a')
  assert.equal((await openSuggestions()).total_count, 1)
  await shot('suggestion-read-only')
  await assertAccessible(page, 'suggestion, dark and narrow')
  await page.getByText('List', { exact: true }).click()
  await page.getByRole('table', { name: 'Suggestions' }).waitFor()
  assert.equal(await page.getByRole('checkbox').count(), 0)
  assertQuiet()
})
