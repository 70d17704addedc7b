import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { BASE, startApp } from '../../../test/app.ts'

const corvus = await startApp()
after(() => corvus.stop())

const send = (data: unknown, token?: string) => corvus.call('POST', 'attack_analyses/import-layer', { data }, token)

async function imported(data: unknown) {
  const { status, body } = await send(data)
  assert.equal(status, 201, JSON.stringify(body))
  return body.data
}

const notesOf = async (analysis: string): Promise<Record<string, string>> => {
  const id = analysis.slice(analysis.lastIndexOf('/') + 1)
  const { body } = await corvus.call('GET', `attack_analyses/annotations?filter[attack_analysis]=${id}&limit=2000`)
  const idOf = (url: string) => url.slice(url.lastIndexOf('/') + 1)
  return Object.fromEntries(
    body.data.map(({ attack_node, content }: Record<string, string>) => [idOf(attack_node ?? ''), content]),
  )
}

const layer = (more: Record<string, unknown>) => ({
  name: 'Layer',
  version: '3.0',
  domain: 'mitre-enterprise',
  ...more,
})

test('a layer becomes an analysis: its comments annotations, and everything else kept', async () => {
  const rest = {
    description: 'What we tried.',
    gradient: { colors: ['#ff6666', '#8ec843'], minValue: 0, maxValue: 9 },
    legendItems: [{ label: 'Tried', color: '#112233' }],
    filters: { stages: ['act'], platforms: ['Linux'] },
    sorting: 3,
    layout: { layout: 'flat', showID: true },
    hideDisabled: true,
    links: [{ label: 'Report', url: 'https://example.org' }, { divider: true }],
    ours: { deep: [1, { x: null }] },
  }
  const technique = { score: 4, color: '#aabbcc', enabled: false, showSubtechniques: true, ours: 1 }
  const more = {
    metadata: [{ name: 'By', value: 'Red team' }],
    links: [{ label: 'Log', url: 'https://example.org/l' }],
  }
  const { analyses, reports } = await imported(
    layer({
      ...rest,
      techniques: [{ techniqueID: 'T1566', tactic: 'initial-access', comment: 'Caught', ...technique, ...more }],
    }),
  )
  const [analysis] = analyses
  assert.partialDeepStrictEqual(analysis, {
    name: 'Layer',
    description: 'What we tried.',
    attack_matrix: 'enterprise-attack',
    scope_entities: [],
    ui_metadata: {
      layer: {
        name: 'Layer',
        domain: 'enterprise-attack',
        ...rest,
        techniques: [{ techniqueID: 'T1566', tactic: 'initial-access', ...technique, ...more }],
      },
    },
  })
  assert.ok(!('comment' in analysis.ui_metadata.layer.techniques[0]))
  const analysisUrl = `${BASE}/api/v2/attack_analyses/${analysis.id}`
  assert.deepEqual(reports, [
    {
      attack_analysis: analysisUrl,
      format: '3.0',
      techniques: 1,
      annotations: 1,
      mapped: [],
      kept: [],
      unknown: [],
      merged: [],
    },
  ])
  assert.deepEqual(await notesOf(analysisUrl), { 'TA0001:T1566': 'Caught' })
})

test('techniques are found in the table of nodes', async () => {
  const { analyses, reports } = await imported(
    layer({
      techniques: [
        { techniqueID: 'T1078', score: 1, comment: 'Everywhere' },
        { techniqueID: 'T1086', tactic: 'execution', score: 2, comment: 'Revoked' },
        { techniqueID: 'T1059.001', tactic: 'execution', score: 1, comment: 'Its successor' },
        { techniqueID: 'T1043', tactic: 'command-and-control', comment: 'Deprecated' },
        { techniqueID: 'T9999', comment: 'Unknown' },
        { techniqueID: 'T1566', tactic: 'impact', score: 7 },
        { techniqueID: 'constructor', tactic: '__proto__' },
      ],
    }),
  )
  const execution = { techniqueID: 'T1059.001', tactic: 'execution' }
  assert.partialDeepStrictEqual(reports[0], {
    techniques: 7,
    annotations: 6,
    mapped: [{ techniqueID: 'T1086', tactic: 'execution', nodes: ['TA0002:T1059.001'] }],
    kept: [{ techniqueID: 'T1043', tactic: 'command-and-control', nodes: ['TA0011:T1043'] }],
    unknown: [
      { techniqueID: 'T9999', tactic: null },
      { techniqueID: 'T1566', tactic: 'impact' },
      { techniqueID: 'constructor', tactic: '__proto__' },
    ],
    merged: [{ node: 'TA0002:T1059.001', techniques: [{ techniqueID: 'T1086', tactic: 'execution' }, execution] }],
  })
  assert.deepEqual(analyses[0].ui_metadata.layer.techniques, [
    { techniqueID: 'T1078', tactic: 'initial-access', score: 1 },
    { techniqueID: 'T1078', tactic: 'persistence', score: 1 },
    { techniqueID: 'T1078', tactic: 'privilege-escalation', score: 1 },
    { techniqueID: 'T1078', tactic: 'defense-evasion', score: 1 },
    { ...execution, score: 2 },
    { techniqueID: 'T1043', tactic: 'command-and-control' },
    { techniqueID: 'T9999', comment: 'Unknown' },
    { techniqueID: 'T1566', tactic: 'impact', score: 7 },
    { techniqueID: 'constructor', tactic: '__proto__' },
  ])
  assert.deepEqual(await notesOf(reports[0].attack_analysis), {
    'TA0001:T1078': 'Everywhere',
    'TA0003:T1078': 'Everywhere',
    'TA0004:T1078': 'Everywhere',
    'TA0005:T1078': 'Everywhere',
    'TA0002:T1059.001': 'Revoked\n\nIts successor',
    'TA0011:T1043': 'Deprecated',
  })
})

test('older formats are read in the terms of the current one', async () => {
  const old = { name: 'Old', version: '1.0', domain: 'mitre-mobile', filters: { platforms: ['android', 'ios'] } }
  const { analyses, reports } = await imported([
    { ...old, viewFullTable: false },
    { ...old, version: 2.2, viewMode: 2 },
    { name: 'New', domain: 'ics-attack', versions: { layer: '4.1', attack: '9', navigator: '4.2' } },
  ])
  assert.deepEqual(
    reports.map(({ format }: { format: string }) => format),
    ['1.0', '2.2', '4.1'],
  )
  assert.deepEqual(
    analyses.map(({ ui_metadata }: { ui_metadata: { layer: unknown } }) => ui_metadata.layer),
    [
      {
        name: 'Old',
        domain: 'mobile-attack',
        filters: { platforms: ['Android', 'iOS'] },
        layout: { layout: 'side', showName: false, showID: true },
        techniques: [],
      },
      {
        name: 'Old',
        domain: 'mobile-attack',
        filters: { platforms: ['Android', 'iOS'] },
        layout: { layout: 'mini', showName: false, showID: false },
        techniques: [],
      },
      { name: 'New', domain: 'ics-attack', techniques: [] },
    ],
  )
})

test('a name that is taken gets a number, also within one document', async () => {
  const same = layer({ name: 'Pins' })
  const namesOf = ({ analyses }: { analyses: { name: string }[] }) => analyses.map(({ name }) => name)
  assert.deepEqual(namesOf(await imported([same, same])), ['Pins', 'Pins (2)'])
  assert.deepEqual(namesOf(await imported(same)), ['Pins (3)'])
  const long = 'x'.repeat(500)
  assert.equal(namesOf(await imported([layer({ name: long }), layer({ name: long })]))[1], `${'x'.repeat(490)} (2)`)
})

test('layers of one name that are imported at the same time all become analyses', async () => {
  const all = await Promise.all(Array.from({ length: 3 }, () => imported(layer({ name: 'Same' }))))
  const names = all.flatMap(({ analyses }) => analyses.map(({ name }: { name: string }) => name)).sort()
  assert.deepEqual(names, ['Same', 'Same (2)', 'Same (3)'])
})

test('every fault of a document is named with its place', async () => {
  const details = async (data: unknown) => {
    const { status, body } = await send(data)
    assert.equal(status, 400, JSON.stringify(body))
    return body.map(({ detail }: { detail: string }) => detail)
  }
  assert.deepEqual(
    await details([
      layer({}),
      { name: '', domain: 'mitre-enterprise', techniques: [{ score: 'NaN' }, { techniqueID: 'T1', enabled: 'yes' }] },
      layer({ version: '5.0', domain: 'x' }),
    ]),
    [
      'data[1].name: must have at least 1 character',
      'data[1].techniques[0].techniqueID: is required',
      "data[1].techniques[0].score: must be of type number, not 'NaN'",
      "data[1].techniques[1].enabled: must be of type boolean, not 'yes'",
      "data[2].domain: must be one of enterprise-attack, mobile-attack, ics-attack, mitre-enterprise, mitre-mobile, mitre-ics, not 'x'",
      "data[2].version: must be a format from 1.0 to 4.5, not '5.0'",
    ],
  )
  assert.deepEqual(await details(layer({ version: undefined })), ['data.versions.layer: is required'])
  assert.deepEqual(await details(layer({ domain: 'DISARM' })), [
    'data.domain: must be a domain of ATT&CK Navigator. DISARM is none, so that a layer of it cannot be read',
  ])
  assert.deepEqual(await details([]), ['data: must have at least 1 layer'])
  assert.deepEqual(await details(Array(51).fill(layer({}))), ['data: must have at most 50 layers'])
  assert.match((await details('layer'))[0], /^data: must be of type object/)
  assert.match((await details(null))[0], /^data: must be of type object/)
})

test('hostile layers are refused, and change nothing', async () => {
  const total = async () => (await corvus.call('GET', 'attack_analyses?limit=1')).body.total_count
  const before = await total()
  const refused = async (payload: string, status = 400) => {
    const answer = await corvus.call('POST', 'attack_analyses/import-layer', payload)
    assert.equal(answer.status, status, JSON.stringify(answer.body).slice(0, 300))
    return answer.body.map(({ detail }: { detail: string }) => detail).join('\n') as string
  }
  const json = (more: Record<string, unknown>) => JSON.stringify({ data: layer(more) })
  const techniques = (count: number) => Array.from({ length: count }, () => ({ techniqueID: 'T1566' }))
  const deep = JSON.parse(`${'[{"x":'.repeat(11)}1${'}]'.repeat(11)}`)
  assert.match(await refused(json({ techniques: techniques(20_001) })), /techniques: must have at most 20000 items/)
  const many = JSON.stringify({ data: Array.from({ length: 3 }, () => layer({ techniques: techniques(18_000) })) })
  assert.match(await refused(many), /^data: has 54000 techniques; at most 50000/)
  assert.match(await refused(json({ ours: deep })), /must not be nested deeper than 20 levels/)
  assert.match(
    await refused(json({ techniques: [{ techniqueID: 'T1566', comment: 'a\0b' }] })),
    /techniques\[0\]\.comment: .*NUL/,
  )
  assert.match(await refused(json({ ours: '\ud800' })), /ours: must not contain half of a surrogate pair/)
  const score = json({ techniques: [{ techniqueID: 'T1', score: 9 }] })
  assert.match(await refused(score.replace('9}', '1e999}')), /techniques\[0\]\.score: must be of type number/)
  const faulty = json({ techniques: Array.from({ length: 2000 }, () => ({})) })
  assert.match(await refused(faulty), /There are 1000 more faults\.$/)
  const long = { techniqueID: 'T1566', tactic: 'initial-access', comment: 'x'.repeat(90_000) }
  const pair = json({ techniques: [long, { ...long, comment: 'y'.repeat(90_000) }] })
  assert.match(await refused(pair), /'Layer': the comments of TA0001:T1566 have more than 100000 characters together/)
  assert.match(await refused(json({ ours: 'x'.repeat(17 * 1024 * 1024) }), 413), /at most 16 MiB/)
  const chunked = await corvus.app.inject({
    method: 'POST',
    url: '/api/v2/attack_analyses/import-layer',
    headers: { authorization: `Bearer ${corvus.admin}`, 'content-type': 'application/json' },
    payload: Readable.from([json({ ours: 'x'.repeat(17 * 1024 * 1024) })]),
  })
  assert.equal(chunked.statusCode, 413)
  assert.equal(await total(), before)
  const polluted =
    '{"data":{"name":"P","version":"4.5","domain":"ics-attack","__proto__":{"x":1},"techniques":[{"techniqueID":"__proto__","constructor":{"prototype":{"x":1}}}]}}'
  const made = await corvus.call('POST', 'attack_analyses/import-layer', polluted)
  assert.equal(made.status, 201, JSON.stringify(made.body))
  assert.equal(({} as Record<string, unknown>).x, undefined)
  assert.deepEqual(made.body.data.reports[0].unknown, [{ techniqueID: '__proto__', tactic: null }])
})

test('control characters, and null for what is absent, are no faults', async () => {
  const { analyses, reports } = await imported(
    layer({
      description: 'seen\u000b in\u001b the wild',
      gradient: null,
      techniques: [{ techniqueID: 'T1566', tactic: null, score: null, color: null, comment: 'a\u0007b' }],
    }),
  )
  assert.equal(analyses[0].description, 'seen\u000b in\u001b the wild')
  assert.deepEqual(analyses[0].ui_metadata.layer.techniques, [{ techniqueID: 'T1566', tactic: 'initial-access' }])
  assert.deepEqual(await notesOf(reports[0].attack_analysis), { 'TA0001:T1566': 'a\u0007b' })
})

test('importing needs the permission to modify attack', async () => {
  const { status, body } = await send(layer({}), await corvus.tokenFor(['read attack']))
  assert.deepEqual([status, body[0].detail], [403, 'Missing permissions: [modify attack]'])
})
