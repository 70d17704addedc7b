import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { assertAccessible, inBrowser, openSite } from './site.ts'

interface Made {
  readonly data: { readonly id: number }
}

let site: Awaited<ReturnType<typeof openSite>>
before(async () => {
  if (!inBrowser.skip) site = await openSite()
})
after(() => site?.stop())

const report = (title: string) =>
  site.call<{ data: { id: string } }>('POST', 'entities', { data: { data: { type: 'report', title } } })

const step = (given: object) => ({ name: null, only_if: [], on_failure: 'stop', ...given })

test('a playbook is built from a template, tried, activated, and runs on what is imported', inBrowser, async () => {
  await site.call('POST', 'workspaces', { data: { name: 'Energy desk' } })
  await report('Outage of a power grid')
  const { page, shot, assertQuiet } = await site.enter('/playbooks')
  await page.getByText('No playbooks yet').waitFor()
  await shot('playbooks-empty')
  await page.getByRole('button', { name: 'Ready-made playbooks' }).first().click()
  await page.getByRole('heading', { name: 'Phishing report to blocking list' }).waitFor()
  await shot('playbook-templates')
  await assertAccessible(page, 'ready-made playbooks')
  await page.getByRole('button', { name: 'Use this playbook: Report about our sector' }).click()
  await page.getByRole('heading', { level: 1, name: 'Report about our sector' }).waitFor()
  for (const name of ['The workspace of the reports', 'The workspace of the tickets']) {
    await page.getByRole('combobox', { name }).fill('Energy')
    await page.getByRole('option', { name: 'Energy desk' }).click()
    await page.keyboard.press('Escape')
  }
  await shot('playbook-choices')
  await assertAccessible(page, 'choices of a ready-made playbook')
  await page.getByRole('button', { name: 'Continue to the editor' }).click()

  const steps = page.getByRole('list', { name: 'Steps' }).first()
  const trial = page.getByRole('region', { name: 'What it would do' })
  await steps.getByText('Add to workspace Energy desk').waitFor()
  await trial.getByRole('link', { name: 'Outage of a power grid' }).waitFor()
  await trial.getByText('Would be done').first().waitFor()
  await trial.getByText('opened', { exact: true }).waitFor()
  await shot('playbook-editor')
  await assertAccessible(page, 'editor of a playbook')
  const [{ data: tickets }, { data: kept }] = [
    await site.call<{ data: unknown[] }>('GET', 'tickets'),
    await site.call<{ data: unknown[] }>('GET', 'playbooks'),
  ]
  assert.deepEqual([tickets, kept], [[], []], 'a dry run left something behind')

  await steps.getByRole('button', { name: /Add to workspace/ }).focus()
  await page.keyboard.press('Alt+ArrowDown')
  await page.getByText('Add to workspace Energy desk: moved to position 2 of 2.').waitFor({ state: 'attached' })
  assert.match(await page.evaluate(`document.activeElement.textContent`), /^2\. Add to workspace Energy desk/)
  await page.keyboard.press('Alt+ArrowDown')
  await page.keyboard.press('Alt+ArrowUp')
  await page.getByText('Add to workspace Energy desk: moved to position 1 of 2.').waitFor({ state: 'attached' })

  await page.getByRole('switch', { name: 'Active' }).check()
  await page.getByRole('button', { name: 'Create playbook' }).click()
  await page.getByRole('heading', { level: 1, name: 'Report about our sector' }).waitFor()
  await page.getByText('No runs yet').first().waitFor()

  const put = { data: [{ data: { type: 'report', title: 'Attack on electric utilities' } }] }
  await site.call('PUT', 'entities', put)
  await page.getByRole('tab', { name: 'Runs' }).click()
  const row = page.getByRole('row', { name: /Attack on electric utilities/ })
  await row.getByText('Completed').waitFor()
  await shot('playbook-runs')
  await assertAccessible(page, 'runs of a playbook')
  await row.getByRole('link').first().click()
  const timeline = page.getByRole('list', { name: 'Steps' })
  await timeline.getByText('opened', { exact: true }).waitFor()
  await timeline.getByRole('link', { name: 'Energy desk' }).waitFor()
  await timeline.getByRole('button', { name: 'Show input' }).last().click()
  await timeline.getByText('Read {title}', { exact: true }).waitFor()
  await shot('playbook-run')
  await assertAccessible(page, 'run of a playbook')
  await timeline.getByRole('link', { name: /^Ticket \d+$/ }).click()
  await page.getByRole('heading', { level: 1, name: 'Read Attack on electric utilities' }).waitFor()
  assertQuiet()
})

test(
  'errors are shown at their steps, branches can be tried, and a playbook travels as a file',
  inBrowser,
  async () => {
    const { data: workspace } = await site.call<Made>('POST', 'workspaces', { data: { name: 'Operations' } })
    await site.call('POST', 'datasets', { data: { name: 'Blocking', workspaces: [workspace.id] } })
    const observables = [{ type: 'domain', value: 'heron.example' }]
    const phishing = { data: { type: 'report', title: 'Phishing by mail' }, meta: { tlp_color: 'GREEN' }, observables }
    await site.call('POST', 'entities', { data: phishing })
    const enricher = {
      name: 'Reputation',
      enricher: 'builtin:own_service',
      is_active: true,
      supported_observable_types: ['domain'],
      parameters: { url: 'http://127.0.0.1:9/look-up' },
    }
    await site.call('POST', 'enrichers', { data: enricher })
    const { page, shot, assertQuiet } = await site.enter('/playbooks/new', { colorScheme: 'dark' })
    await page.getByRole('textbox', { name: 'Name', exact: true }).first().fill('Block phishing')
    const add = async (name: RegExp) => {
      await page.getByRole('button', { name: 'Add step' }).click()
      await page.getByRole('menuitem', { name }).click()
    }
    await add(/^Classify/)
    const nodes = page.getByRole('combobox', { name: 'Add ATT&CK nodes' })
    await nodes.fill('spearphishing link')
    await page.getByRole('option', { name: /^T1566.002 Phishing: Spearphishing Link/ }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: '1. Classify as T1566.002 Spearphishing Link' }).waitFor()
    await page.getByRole('button', { name: 'Actions for step 1' }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await add(/^Enrich and wait/)
    await add(/^Add to dataset/)
    const trial = page.getByRole('region', { name: 'What it would do' })
    await trial.getByText('The playbook is not complete yet').waitFor()
    await page.getByRole('button', { name: 'Create playbook' }).click()
    await page.getByText('Correct the highlighted fields.').waitFor()
    const second = page.getByRole('listitem', { name: /^Step 2/ })
    await second.getByText('needs a dataset, a workspace or a report').waitFor()
    await page
      .getByRole('listitem', { name: /^Step 1/ })
      .getByText('1 error')
      .waitFor()
    await shot('playbook-errors')
    await assertAccessible(page, 'errors in the editor of a playbook, dark')

    const file = {
      name: 'Block phishing',
      description: null,
      trigger: { type: 'change', collection: 'entities', query: 'phishing' },
      steps: [
        step({ id: 'ask', kind: 'enrich', enrichers: [{ name: 'Reputation' }] }),
        step({
          id: 'block',
          kind: 'add_to',
          only_if: [{ step: 'ask', outcome: ['malicious'] }],
          datasets: [{ name: 'Blocking' }],
        }),
      ],
    }
    const input = page.locator('input[type=file]')
    await input.setInputFiles({ name: 'p.json', mimeType: 'application/json', buffer: Buffer.from('{}') })
    await page.getByText('“p.json” is no playbook.', { exact: false }).waitFor()
    const buffer = Buffer.from(JSON.stringify(file))
    await input.setInputFiles({ name: 'p.json', mimeType: 'application/json', buffer })
    await page.getByRole('button', { name: '2. If malicious: add to dataset Blocking' }).waitFor()
    await trial.getByText('Would be skipped').waitFor()
    await trial.getByRole('combobox', { name: 'Try the outcome' }).click()
    await page.getByRole('option', { name: 'malicious', exact: true }).click()
    await trial.getByText('added', { exact: true }).waitFor()
    await trial.getByRole('link', { name: 'Blocking' }).waitFor()
    await shot('playbook-branch')

    await page.getByRole('button', { name: 'Move step 1' }).dragTo(second, { targetPosition: { x: 40, y: 40 } })
    await page.getByRole('button', { name: /^1\. If malicious \(step ask\)/ }).waitFor()
    await trial.getByText('Step 1, only if, step: must name an earlier step', { exact: false }).waitFor()
    await page.getByRole('button', { name: 'Move step 2' }).focus()
    await page.keyboard.press('Alt+ArrowUp')
    await page.getByRole('button', { name: '1. Ask Reputation and wait' }).waitFor()
    await page.getByRole('button', { name: 'Create playbook' }).click()
    await page.getByRole('heading', { level: 1, name: 'Block phishing' }).waitFor()
    await page.getByText('If malicious: add to dataset Blocking').waitFor()
    await shot('playbook-dark')
    await assertAccessible(page, 'playbook, dark')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ])
    const { trigger, steps } = JSON.parse(await readFile(await download.path(), 'utf8'))
    assert.equal(trigger.query, 'phishing')
    assert.deepEqual(steps[1].datasets, [{ name: 'Blocking' }])
    assertQuiet()
  },
)

test('a playbook is run by hand where objects are shown, and a paused one is resumed', inBrowser, async () => {
  const { data: entity } = await report('Heron on the roof')
  const tag = step({ id: 'tag', kind: 'tag', added: ['seen'], removed: [] })
  const { data: made } = await site.call<Made>('POST', 'playbooks', {
    data: { name: 'Mark as seen', trigger: { type: 'manual', collection: 'entities' }, steps: [tag] },
  })
  const { page, shot, assertQuiet } = await site.enter(`/entities/${entity.id}`)
  await page.getByRole('button', { name: 'Run playbook' }).click()
  const dialog = page.getByRole('dialog', { name: 'Run playbook on 1 entity' })
  await dialog.getByRole('combobox', { name: 'Playbook' }).fill('Mark')
  await page.getByRole('option', { name: 'Mark as seen' }).click()
  await dialog.getByRole('button', { name: 'What would it do?' }).click()
  await dialog.getByText('Would be done').waitFor()
  await shot('playbook-run-dialog')
  await assertAccessible(page, 'dialog that runs a playbook')
  await dialog.getByRole('button', { name: 'Run playbook' }).click()
  await page.getByRole('heading', { level: 1, name: 'Run of “Mark as seen”' }).waitFor()
  await page.getByText('changed', { exact: true }).waitFor()

  await page.goto(`${site.url}/`)
  await page
    .getByRole('row', { name: /Heron on the roof/ })
    .getByRole('checkbox')
    .check()
  await page.getByRole('region', { name: 'Selected rows' }).getByRole('button', { name: 'Run playbook' }).click()
  await page.getByRole('dialog', { name: 'Run playbook on 1 entity' }).waitFor()
  await page.keyboard.press('Escape')

  await sql`
    update playbooks set paused_at = now(), paused_reason = 'It failed 5 times in a row.' where id = ${made.id}`.execute(
    site.db,
  )
  await page.goto(`${site.url}/playbooks/${made.id}`)
  await page.getByText('It failed 5 times in a row.').waitFor()
  await shot('playbook-paused')
  await assertAccessible(page, 'paused playbook')
  await page.getByRole('button', { name: 'Resume' }).click()
  await page.getByText('This playbook is paused').waitFor({ state: 'detached' })
  await page.goto(`${site.url}/playbooks`)
  await page
    .getByRole('row', { name: /Mark as seen/ })
    .getByText('1 completed')
    .waitFor()
  await shot('playbooks')
  await assertAccessible(page, 'playbooks')
  assertQuiet()
})
