import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { writtenLayer } from './layers/written-layer.ts'

const corvus = await startApp()
after(() => corvus.stop())

/** Sees nothing of the source of the hidden entities, and neither does the administrator. */
let hiddenSource: string
const ids: string[] = []

async function entity(title: string, attacks: readonly string[], more: Record<string, unknown> = {}) {
  const data = { data: { type: 'malware', title }, meta: { attacks }, ...more }
  const { status, body } = await corvus.call('POST', 'entities', { data })
  assert.equal(status, 201, JSON.stringify(body))
  return body.data.id as string
}

before(async () => {
  hiddenSource = (await corvus.blindGroup('Elsewhere')).source
  for (let i = 1; i <= 12; i++) ids.push(await entity(`Loader ${i}`, ['TA0001:T1566']))
  ids.push(await entity('Two\nlines', ['TA0002:T1059.001', 'TA0002', 'TA0002:T1086']))
  // As entities have that were stored before their ids were checked.
  await corvus.pool.query(`update entities set attacks = attacks || '{TA0099:T9999}' where id = $1`, [ids.at(-1)])
})

const hide = (title: string, attacks: readonly string[]) => entity(title, attacks, { sources: [hiddenSource] })

async function post(path: string, data: unknown) {
  const { status, body } = await corvus.call('POST', path, { data })
  assert.equal(status, 201, JSON.stringify(body))
  return body.data
}

async function layerOf(path: string, token?: string) {
  const { status, body, headers } = await corvus.call('GET', path, undefined, token)
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(writtenLayer.parse(body), body)
  return { layer: body, filename: String(headers['content-disposition']) }
}

const importBack = async (layer: unknown) => (await post('attack_analyses/import-layer', layer)).analyses[0].id

test('the threat of an analysis is a layer with the newest titles and the annotations', async () => {
  const { id } = await post('attack_analyses', { name: 'Loaders / 2026', description: 'All of them.' })
  for (const [attack_node, content] of [
    ['TA0001:T1566', 'We block attachments.'],
    ['TA0040:T1486', 'Backups are tested.'],
    ['TA0002', 'Little here.'],
  ])
    await post('attack_analyses/annotations', { attack_analysis: id, attack_node, content })
  const { layer, filename } = await layerOf(`attack_analyses/${id}/layer?kind=threat`)
  assert.partialDeepStrictEqual(layer, {
    name: 'Loaders / 2026',
    description: 'All of them.',
    domain: 'enterprise-attack',
    versions: { attack: '18', layer: '4.5' },
    gradient: { minValue: 0, maxValue: 12 },
  })
  const titles = [12, 11, 10, 9, 8, 7, 6, 5, 4, 3].map((number) => `- Loader ${number}`).join('\n')
  assert.deepEqual(layer.techniques, [
    {
      techniqueID: 'T1566',
      tactic: 'initial-access',
      score: 12,
      comment: `12 entities\n${titles}\nand 2 more\n\nWe block attachments.`,
    },
    { techniqueID: 'T1059.001', tactic: 'execution', score: 1, comment: '1 entity\n- Two lines' },
    { techniqueID: 'T1486', tactic: 'impact', comment: 'Backups are tested.' },
  ])
  assert.deepEqual(layer.metadata, [
    { name: 'Entities', value: '13' },
    {
      name: 'Entities classified with what no technique shows',
      value: 'TA0002 Execution: 1; TA0002:T1086 (revoked): 1; TA0099:T9999 (unknown): 1',
    },
    { name: 'Annotation of TA0002', value: 'Little here.' },
  ])
  assert.match(filename, /^attachment; filename="Loaders - 2026 threat\.json"/)
})

test('a layer that was drawn, imported and downloaded again is the same', async () => {
  const { id } = await post('attack_analyses', { name: 'Drawn' })
  await post('attack_analyses/annotations', { attack_analysis: id, attack_node: 'TA0001:T1566', content: 'Noted' })
  await post('attack_analyses/annotations', {
    attack_analysis: id,
    attack_node: 'enterprise-attack',
    content: 'In all',
  })
  for (const kind of ['threat', 'coverage', 'gap']) {
    const { layer } = await layerOf(`attack_analyses/${id}/layer?kind=${kind}`)
    const again = await importBack(layer)
    assert.deepEqual((await layerOf(`attack_analyses/${again}/layer`)).layer, layer)
  }
})

test('an imported layer is downloaded as it is, with what its annotations say now', async () => {
  const sent = {
    name: 'Pins',
    version: '3.0',
    domain: 'mitre-enterprise',
    techniques: [
      { techniqueID: 'T1086', tactic: 'execution', score: 2, color: '', comment: 'Old' },
      { techniqueID: 'T9999', comment: 'Unknown' },
    ],
  }
  const id = await importBack(sent)
  const { layer } = await layerOf(`attack_analyses/${id}/layer`)
  assert.deepEqual(layer, {
    name: 'Pins',
    versions: { attack: '18', navigator: '5.1.0', layer: '4.5' },
    domain: 'enterprise-attack',
    techniques: [
      { techniqueID: 'T1059.001', tactic: 'execution', score: 2, color: '', comment: 'Old' },
      { techniqueID: 'T9999', comment: 'Unknown' },
    ],
  })
  const [note] = (await corvus.call('GET', `attack_analyses/annotations?filter[attack_analysis]=${id}`)).body.data
  await corvus.call('PATCH', `attack_analyses/annotations/${note.id}`, { data: { content: 'New' } })
  const { layer: changed, filename } = await layerOf(`attack_analyses/${id}/layer?name=Mine`)
  assert.deepEqual([changed.name, changed.techniques[0].comment], ['Mine', 'New'])
  assert.match(filename, /filename="Mine\.json"/)
  const drawn = (await layerOf(`attack_analyses/${id}/layer?kind=threat`)).layer
  assert.equal(drawn.techniques[0].score, 12)
})

test('the layer of a scope takes the parameters of heat', async () => {
  const { layer, filename } = await layerOf(`attacks/layer?entities=${ids.at(-1)}&kind=gap&name=Mine`)
  assert.equal(layer.name, 'Mine')
  assert.match(filename, /filename="Mine gap\.json"/)
  assert.equal(layer.techniques.length, 1)
  const [technique] = layer.techniques
  assert.partialDeepStrictEqual(technique, { techniqueID: 'T1059.001', tactic: 'execution', score: 100 })
  assert.match(technique.comment, /^Threat 100 %\. Covered 0 %: \d+ mitigations, 0 of 1 analytic possible\.\n/)
  assert.match(technique.comment, /\nLog sources that are not collected:\n(- .*\n){4}1 entity\n- Two lines$/)
  const related = await layerOf(`attacks/layer?filter[type]=malware&relations=true&titles=false`)
  assert.equal(related.layer.techniques[0].comment, '12 entities')
  assert.equal((await layerOf(`attacks/layer?matrix=ics-attack`)).layer.domain, 'ics-attack')
})

test('hidden entities change no layer, and their titles are in none', async () => {
  const { id } = await post('attack_analyses', { name: 'Scoped', scope_entities: [ids[0]] })
  const paths = [
    'attacks/layer',
    `attacks/layer?kind=gap&relations=true&entities=${ids[0]}`,
    `attack_analyses/${id}/layer`,
    `attack_analyses/${id}/layer?kind=coverage`,
  ]
  const all = async () => JSON.stringify(await Promise.all(paths.map((path) => layerOf(path))))
  const seen = await all()
  const secret = await hide('Secret', ['TA0001:T1566', 'TA0002:T1059.001', 'TA0040:T1486', 'TA0003'])
  const { rows } = await corvus.pool.query('insert into attack_analysis_entities values ($1, $2) returning source', [
    id,
    secret,
  ])
  assert.equal(rows.length, 1)
  assert.equal(await all(), seen)
  assert.ok(!seen.includes('Secret'))
})

test('a layer is refused with a reason', async () => {
  const { id } = await post('attack_analyses', { name: 'Disinformation', attack_matrix: 'DISARM' })
  const details = async (path: string, status: number, token?: string) => {
    const answer = await corvus.call('GET', path, undefined, token)
    assert.equal(answer.status, status, JSON.stringify(answer.body))
    return answer.body.map(({ detail }: { detail: string }) => detail)
  }
  const reason = ['DISARM is no domain of ATT&CK Navigator, so that there are no layers of it.']
  assert.deepEqual(await details(`attack_analyses/${id}/layer`, 400), reason)
  assert.deepEqual(await details('attacks/layer?matrix=DISARM', 400), reason)
  assert.deepEqual(await details('attack_analyses/999999/layer', 404), ["The resource '999999' does not exist."])
  const wrong = await details('attacks/layer?kind=x&titles=maybe&matrix=y&by=z', 400)
  for (const name of ['kind', 'titles', 'matrix', 'by'])
    assert.ok(
      wrong.some((detail: string) => detail.startsWith(`${name}: `)),
      `${name} in ${wrong}`,
    )
  const refusal = async (permissions: string[]) =>
    (await details(`attack_analyses/${id}/layer`, 403, await corvus.tokenFor(permissions)))[0]
  assert.equal(await refusal(['read entities']), 'Missing permissions: [read attack]')
  assert.equal(await refusal(['read attack']), 'Missing permissions: [read entities]')
})
