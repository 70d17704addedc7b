import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { isTurnOf } from '../../test/effort.ts'
import { isCounted } from '../../test/set-up/counting.ts'

type Item = Record<string, unknown>
interface Found {
  readonly observables: readonly (Item & { type: string; value: string; start: number; end: number })[]
  readonly entities: readonly {
    readonly id: string
    readonly title: string
    readonly mentions: readonly { readonly text: string; readonly start: number; readonly end: number }[]
  }[]
  readonly attacks: readonly {
    readonly technique: string
    readonly attacks: readonly string[]
    readonly score: number
    readonly found_by: readonly string[]
    readonly evidence: readonly (Item & { by: string; start: number; end: number })[]
  }[]
  readonly notes: readonly string[]
}

let corvus: Awaited<ReturnType<typeof startApp>>
let statements = 0
before(async () => {
  corvus = await startApp((statement) => {
    if (isCounted(statement)) statements++
  })
})
after(() => corvus.stop())

async function analyse(text: string, token = corvus.admin): Promise<Found> {
  const { status, body } = await corvus.call('POST', 'text-analysis', { data: { text } }, token)
  assert.equal(status, 200, JSON.stringify(body))
  return body.data
}

async function make(type: string, title: string, more: Item = {}, properties: Item = {}): Promise<string> {
  const { status, body } = await corvus.call('POST', 'entities', {
    data: { data: { type, title, ...more }, ...properties },
  })
  assert.equal(status, 201, JSON.stringify(body))
  return body.data.id
}

/** The titles of the entities that a text names, each with what stands there. */
async function named(text: string, token?: string): Promise<Record<string, string[]>> {
  const { entities } = await analyse(text, token)
  for (const { mentions } of entities)
    for (const { text: own, start, end } of mentions) assert.equal(text.slice(start, end), own)
  return Object.fromEntries(entities.map(({ title, mentions }) => [title, mentions.map((mention) => mention.text)]))
}

test('entities are found by titles, names and aliases, with exact offsets', async () => {
  await make('threat-actor', 'Gilded Heron', { names: ['TA4711'] }, { meta: { alias: 'Heron of the north' } })
  await make('malware', 'Snaplock - S9999', { aliases: ['SNAPL0CK', 'Snäpplåset'] })
  await make('tool', 'Mimilike')
  const text =
    'Gilded  Heron (TA-4711, ta4711) ran snaplock,\r\nSnäpplåset and MIMILIKE. The gilded\nheron\u2019s tool.'
  assert.deepEqual(await named(text), {
    'Heron of the north': ['Gilded  Heron', 'TA-4711', 'ta4711', 'gilded\nheron'],
    'Snaplock - S9999': ['snaplock', 'Snäpplåset'],
    Mimilike: ['MIMILIKE'],
  })
})

test('the longest name counts, whole words only, and not in addresses, paths and options', async () => {
  await make('malware', 'Duskworm')
  await make('malware', 'Duskworm Loader')
  const text =
    'Duskworm Loader, duskworms, Duskworm-linked, https://duskworm.example/x, C:\\duskworm\\a, --duskworm, x_duskworm, duskworm.dll, /opt/duskworm/x, anti-Duskworm, #Duskworm, Duskworm/Dawn'
  assert.deepEqual(await named(text), {
    'Duskworm Loader': ['Duskworm Loader'],
    Duskworm: ['Duskworm', 'Duskworm', 'Duskworm', 'Duskworm'],
  })
})

test('common words are names only as names', async () => {
  for (const title of ['Play', 'Tools', 'it', 'IT', 'Net', 'Backdoor', 'Royal Road']) await make('malware', title)
  await make('identity', 'Bank of Heronia')
  await make('location', 'Turkey')
  assert.deepEqual(
    await named('Press Play in Tools. It is IT, and they play it on the net. A backdoor, royal road.'),
    {},
  )
  assert.deepEqual(await named('The Play ransomware came by Royal Road from Turkey; a turkey sandwich.'), {
    Play: ['Play'],
    'Royal Road': ['Royal Road'],
    Turkey: ['Turkey'],
  })
})

test('a changed or deleted entity is found by what it is called now', async () => {
  const id = await make('campaign', 'Operation Quillfeather')
  assert.deepEqual(await named('Operation Quillfeather'), { 'Operation Quillfeather': ['Operation Quillfeather'] })
  await corvus.call('PATCH', `entities/${id}`, { data: { data: { title: 'Operation Plumbob' } } })
  const text = 'Operation Quillfeather is now Operation Plumbob'
  assert.deepEqual(await named(text), { 'Operation Plumbob': ['Operation Plumbob'] })
  await corvus.call('DELETE', `entities/${id}`)
  assert.deepEqual(await named(text), {})
})

test('entities that the caller does not see are not found, whatever they are called', async () => {
  const reader = await corvus.tokenFor(['read entities', 'read attack'])
  const group = await corvus.blindGroup('Hidden')
  await make('threat-actor', 'Velvet Ibis', {}, { sources: [group.source] })
  await make('threat-actor', 'Cinder Ibis')
  const text = 'Velvet Ibis and Cinder Ibis'
  assert.deepEqual(await named(text), { 'Cinder Ibis': ['Cinder Ibis'] })
  await corvus.call('PATCH', `groups/${group.id}`, { data: { sources: [group.source] } })
  assert.deepEqual(Object.keys(await named(text)), ['Velvet Ibis', 'Cinder Ibis'])
  assert.deepEqual(await named(text, reader), { 'Cinder Ibis': ['Cinder Ibis'] })
})

test('both permissions are needed', async () => {
  for (const permission of ['read entities', 'read attack']) {
    const token = await corvus.tokenFor([permission])
    const { status } = await corvus.call('POST', 'text-analysis', { data: { text: 'x' } }, token)
    assert.equal(status, 403, permission)
  }
})

test('techniques are found by id and by name, and the notes say what is missing', async () => {
  const text =
    'They used T1566.001 and TA0001:T1078; then Process Injection, kerberoasting and a scheduled task. T9999.'
  const { attacks, notes } = await analyse(text)
  const by = (id: string) => attacks.find(({ technique }) => technique === id)
  assert.deepEqual(by('T1566.001')?.found_by.slice(0, 1), ['id'])
  assert.equal(by('T1566.001')?.score, 1)
  assert.deepEqual(by('T1078')?.attacks, ['http://corvus.test/api/v2/attacks/TA0001:T1078'])
  assert.ok(by('T1055')?.found_by.includes('name'))
  assert.deepEqual([by('T1055')?.score, by('T1631')?.score], [0.9, 0.6], 'Mobile has a technique of the same name')
  assert.equal(by('T1055')?.attacks.length, 2)
  assert.ok(by('T1558.003')?.found_by.includes('name'))
  assert.ok(by('T1053.005')?.found_by.includes('name'))
  assert.equal(by('T9999'), undefined)
  for (const { evidence } of attacks)
    for (const each of evidence.filter((one) => one.by === 'name'))
      assert.match(text.slice(each.start, each.end), /^(?:Process Injection|kerberoasting|scheduled task)$/)
  assert.ok(notes.some((note) => note.startsWith('Techniques were suggested by their ids and names only.')))
})

test('words that nearly every report contains suggest no technique', async () => {
  const { attacks } = await analyse('The report was published in April. Customers should update. All rights reserved.')
  assert.deepEqual(attacks, [])
})

test('the offsets of observables are those of the text as it was sent', async () => {
  const text = 'A\r\nB\u0007 hxxp://evil[.]example/a?b\r\n203.0.113.7 \u{1f600} d41d8cd98f00b204e9800998ecf8427e'
  const { observables } = await analyse(text)
  assert.deepEqual(
    observables.map(({ type, start, end }) => [type, text.slice(start, end)]),
    [
      ['uri', 'hxxp://evil[.]example/a?b'],
      ['domain', 'evil[.]example'],
      ['ipv4', '203.0.113.7'],
      ['hash-md5', 'd41d8cd98f00b204e9800998ecf8427e'],
    ],
  )
})

test('observables on exclusion lists are marked', async () => {
  const list = { name: 'Ours', entries: ['own.example'] }
  const made = await corvus.call('POST', 'exclusion-lists', { data: list })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  const { observables } = await analyse('mail from own.example and evil.example.com')
  assert.deepEqual(
    observables.map(({ value, is_excluded }) => [value, is_excluded]),
    [
      ['own.example', true],
      ['evil.example.com', false],
    ],
  )
})

test('a text of any length takes the same number of statements', async () => {
  await analyse('first')
  const count = async (text: string): Promise<number> => {
    statements = 0
    await analyse(text)
    return statements
  }
  const sentence = 'Gilded Heron used Process Injection against Bank of Heronia (T1566).\n'
  assert.equal(await count(sentence.repeat(500)), await count(sentence))
})

test('too long, empty and missing texts are refused', async () => {
  for (const data of [{ text: 'a'.repeat(1_000_001) }, { text: '' }, {}, { text: 7 }, { text: 'a\0b' }]) {
    const { status, body } = await corvus.call('POST', 'text-analysis', { data })
    assert.equal(status, 400)
    assert.match(body[0].detail, /text/)
  }
})

// With backtracking, or with work for each pair of words, any of these takes hours, and the test runner times out.
const HOSTILE = [
  ...[
    'a',
    'a ',
    'A1',
    '-',
    '. ',
    '\n',
    'T1',
    'T1566 ',
    'Gilded ',
    'the ',
    'a\u0301',
    '\u{1f600}',
    '字',
    '[',
    '\r',
    '\ud800',
  ],
  ...['Process ', 'Scheduled Task ', 'Gilded Heron ', 'x.', 'x@', '(Citation: ', '/', '\\', 'й ', '\u200b'],
]

test('hostile texts take no longer than others', async () => {
  for (const [i, piece] of HOSTILE.entries()) {
    if (!isTurnOf(i)) continue
    const { entities } = await analyse(piece.repeat(Math.floor(200_000 / piece.length)))
    assert.ok(entities.length < 5)
  }
})
