import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Marked } from 'marked'
import { startApp } from '../../../test/app.ts'
import { isTurnOf } from '../../../test/effort.ts'
import { useProvider } from '../../../test/set-up/ai.ts'
import { type HostileReport, REAL_SENTENCE } from '../../../test/set-up/hostile-model.ts'
import { HOSTILE_REPORTS } from '../../../test/set-up/hostile-reports.ts'
import { type Script, startScriptedProvider } from '../../../test/set-up/scripted-provider.ts'
import { FEATURES } from '../features.ts'

/** Stands in no report. */
const INVENTED = '198.51.100.66'
const SECRET_WORDS = /vermilion|shells/i
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cf}]|<!--/u

let corvus: Awaited<ReturnType<typeof startApp>>
let provider: Awaited<ReturnType<typeof startScriptedProvider>>
let outsider: string
let prompt: number
before(async () => {
  corvus = await startApp()
  provider = await startScriptedProvider()
  await useProvider(corvus, provider, FEATURES)
  outsider = await corvus.tokenFor('all')
  const make = async (path: string, data: object) => {
    const { status, body } = await corvus.call('POST', path, { data })
    assert.equal(status, 201, JSON.stringify(body))
    return body.data
  }
  const group = await make('groups', { name: 'Outsiders' })
  const { body: self } = await corvus.call('GET', 'users/self', undefined, outsider)
  await corvus.call('PATCH', `groups/${group.id}`, { data: { sources: [`${group.source}?allowed_tlp=AMBER`] } })
  await corvus.call('PATCH', `users/${self.data.id}`, { data: { groups: [group.id] } })
  await make('entities', {
    data: { type: 'threat-actor', title: 'Vermilion Ledger', description: 'Silent Crane pays Vermilion in shells.' },
    meta: { tlp_color: 'RED' },
  })
  await corvus.call('PUT', 'configurations/organization-profile', { data: { sectors: ['Banks'] } })
  const { id } = await make('content-generation-prompts', {
    name: 'Briefing',
    description: 'For banks.',
    content_prompt: 'Summarise.',
    formatting_prompt: 'Short.',
    entity_types: [],
    target_language: 'English',
    include_related_entities: true,
    is_enabled: true,
    is_pinned: false,
    limit_content_length: false,
  })
  prompt = id
})
after(async () => {
  await provider.stop()
  await corvus.stop()
})

/** What an obeying model writes wherever it can. */
const hostile = ({ prose }: HostileReport): string =>
  `${prose} Block ${INVENTED}.\u200b\u{e0041}<!-- x --> ![a](//collect.example/b(c)) <<i>img src=//collect.example/d> ` +
  '<p style="background:url(//collect.example/e)"> [f]\n\n[f]: //collect.example/g'

type Schema = Readonly<Record<string, unknown>>

/** A value of this form in which every text is the given one. */
function filled(schema: Schema, text: string): unknown {
  const [first] = (schema.anyOf ?? []) as Schema[]
  if (first) return filled(first, text)
  if (Array.isArray(schema.enum)) return schema.enum[0]
  if (schema.type === 'object')
    return Object.fromEntries(
      Object.entries((schema.properties ?? {}) as Record<string, Schema>).map(([name, each]) => [
        name,
        filled(each, name === 'quote' ? REAL_SENTENCE : text),
      ]),
    )
  if (schema.type === 'array') return [filled((schema.items ?? {}) as Schema, text)]
  if (schema.type === 'number' || schema.type === 'integer') return 1
  return schema.type === 'boolean' ? true : text
}

const obeying =
  (report: HostileReport): Script =>
  ({ schema, text }) => {
    const said = report.doesEcho ? `${hostile(report)} ${text.slice(0, 4_000)}` : hostile(report)
    return schema === undefined ? said : JSON.stringify(filled(schema as Schema, said))
  }

/** Every operation that responds with what the model wrote, apart from extraction. */
const operations = (entity: string, text: string): readonly (readonly [string, object])[] => [
  ['chat', { query: 'What did Silent Crane do?', entity }],
  ['summary', { entities: [entity], summary_type: 'technical' }],
  ['report', { entities: [entity], summary_type: 'custom', custom_report_template: '<h2>What</h2><p>It</p>' }],
  ['content-generation', { entities: [entity], content_prompt: prompt }],
  ['content-generation/refine', { entity_info: text, user_query: 'Shorter.', entities: [entity] }],
  ['contextual-relevancy', { entity }],
  ['web-enrichment', { entity }],
  [
    'web-enrichment/refine',
    { enrichment_output: { description: [text.slice(0, 20_000)] }, chat_history: [], user_query: 'Shorter.' },
  ],
  ['writing-assistant', { text: REAL_SENTENCE, preset: 'formal', entity }],
  ['translation', { entity, target_language: 'German' }],
  ['nlp-to-search', { query: text.slice(0, 1_000) }],
]

/** The texts that a model wrote. */
function textsIn(value: unknown, name = ''): string[] {
  if (['generated_by', 'quote', 'changes', 'unverified_values', 'used_query', 'notes'].includes(name)) return []
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, each]) => textsIn(each, key))
    : []
}

test('hostile reports and a model that obeys them: no operation shows links, images, hidden text or unmarked values', async () => {
  const markdown = new Marked({ async: false })
  const items = HOSTILE_REPORTS.map(({ name, text }) => ({
    data: { type: 'report', title: name, description: `${REAL_SENTENCE}\n\n${text.replaceAll('\0', '')}` },
    meta: { tlp_color: 'GREEN' },
  }))
  const made = await corvus.call('PUT', 'entities', { data: items }, outsider)
  assert.equal(made.status, 201, JSON.stringify(made.body).slice(0, 500))
  const answered = new Map<string, number>()
  for (const [i, report] of HOSTILE_REPORTS.entries()) {
    if (!isTurnOf(i, 4)) continue
    provider.says(obeying(report))
    for (const [name, data] of operations(made.body.data[i].id, items[i]?.data.description ?? '')) {
      const about = `${name}, ${report.name}`
      provider.prompts.length = 0
      const { status, body } = await corvus.call('POST', `ai/${name}`, { data }, outsider)
      assert.ok(provider.prompts.length > 0, `${about}: ${JSON.stringify(body)}`)
      for (const { text } of provider.prompts) assert.doesNotMatch(text, SECRET_WORDS, about)
      // Later prompts may repeat what the model said itself.
      const [first] = provider.prompts
      for (const hidden of report.unseen) if (hidden !== '\0') assert.ok(!first?.text.includes(hidden), about)
      assert.doesNotMatch(JSON.stringify(body), SECRET_WORDS, about)
      assert.ok(status === 200 || status === 424, `${about}: ${JSON.stringify(body)}`)
      if (status !== 200) continue
      answered.set(name, (answered.get(name) ?? 0) + 1)
      for (const text of textsIn(body.data)) {
        assert.doesNotMatch(text, UNSEEN, `${about}: ${text}`)
        // A query and the clauses that were left out are not formatted.
        if (name === 'nlp-to-search') continue
        const html = name === 'report' ? text : String(markdown.parse(text.replaceAll(/https?:/g, 'address ')))
        assert.doesNotMatch(html, /<(?:img|a|[a-z]+ style)[\s/>]/i, `${about}: ${text}`)
      }
      const isMarked = JSON.stringify(body.data).includes(`"value":"${INVENTED}"`)
      if (textsIn(body.data).some((text) => text.includes(INVENTED)) && name !== 'nlp-to-search')
        assert.ok(isMarked, about)
    }
  }
  const names = operations('', '').map(([name]) => name)
  // A translation must not add markup, and is refused.
  for (const name of names.filter((each) => each !== 'translation')) assert.ok(answered.get(name), name)
})
