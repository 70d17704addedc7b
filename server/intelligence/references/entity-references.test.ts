import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import type { Reference } from './reference.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
before(async () => {
  corvus = await startApp()
})
after(() => corvus.stop())

const idOf = (type: string) => `${type}--${randomUUID()}`

/** The user of a token, removed from all groups. */
async function withoutGroups(token: string): Promise<number> {
  const { id } = (await corvus.call('GET', 'users/self', undefined, token)).body.data
  await corvus.pool.query('delete from group_users where target = $1', [id])
  return id
}

/** A user who sees up to GREEN and has only these permissions. */
async function reader(permissions: readonly string[], source: string): Promise<string> {
  const token = await corvus.tokenFor(permissions)
  const user = await withoutGroups(token)
  const group = { name: randomUUID(), sources: [`${source}?allowed_tlp=GREEN`], users: [user] }
  const { status, body } = await corvus.call('POST', 'groups', { data: group })
  assert.equal(status, 201, JSON.stringify(body))
  return token
}

/** A report about two malware, one of them restricted, a relationship, an observable, a marking and an unknown object. */
async function makeReport() {
  const [seen, hidden, actor, uuid] = [idOf('malware'), idOf('malware'), idOf('threat-actor'), randomUUID()]
  const [domain, unknown] = [idOf('domain-name'), idOf('campaign')]
  const refs = [seen, hidden, `relationship--${uuid}`, domain, unknown, seen]
  const marking = 'marking-definition--34098fce-860f-48ae-8e50-ebd3cc5e41da'
  const entity = (type: string, id: string, title: string, tlp_color: string, rest: object = {}) => ({
    data: { type, id, title, ...rest },
    meta: { tlp_color },
  })
  const made = await corvus.call('PUT', 'entities', [
    entity('malware', seen, 'Poison Ivy', 'GREEN'),
    entity('malware', hidden, 'Secret', 'RED'),
    entity('threat-actor', actor, 'APT1', 'GREEN'),
    {
      ...entity('report', idOf('report'), 'Report', 'GREEN', { object_refs: refs, object_marking_refs: [marking] }),
      observables: [{ type: 'domain', value: 'hugesoft.org' }],
    },
  ])
  assert.equal(made.status, 201, JSON.stringify(made.body))
  const [malware, , , report] = made.body.data
  const source = malware.sources[0]
  await corvus.call('PUT', 'relationships', [
    { id: uuid, data: { source: actor, target: seen, key: 'uses' }, sources: [source] },
  ])
  const kept = { type: 'domain-name', id: domain, value: 'hugesoft.org' }
  await corvus.pool.query('insert into stix_objects values ($1, $2, $3)', [report.id, domain, kept])
  return { report: report.id as string, refs: refs.slice(0, 5), marking, malware: malware.id as string, source }
}

const referencesOf = async (report: string, search = '', token?: string): Promise<Reference[]> => {
  const { status, body } = await corvus.call('GET', `entities/${report}/references${search}`, undefined, token)
  assert.equal(status, 200, JSON.stringify(body))
  return body.data
}

const inWords = ({ kind, type, title, source, target }: Reference) =>
  kind === 'relationship' ? `${source?.title} ${type} ${target?.title}` : `${kind} ${type} ${title}`

test('the objects of a report are resolved in their order, each once', async () => {
  const { report, refs, marking, malware } = await makeReport()
  const found = await referencesOf(report)
  assert.deepEqual(found.map(inWords), [
    'entity malware Poison Ivy',
    'entity malware Secret',
    'APT1 uses Poison Ivy',
    'observable domain hugesoft.org',
    'null null null',
    'object marking-definition TLP:GREEN',
  ])
  assert.deepEqual(
    found.map(({ id }) => id),
    [...refs, marking],
  )
  assert.ok(found[0]?.url?.endsWith(`/api/v2/entities/${malware}`))
  assert.match(found[3]?.url ?? '', /\/observables\/\d+$/)
  const page = await corvus.call('GET', `entities/${report}/references?field=object_refs&limit=2&offset=1`)
  assert.deepEqual([page.body.count, page.body.total_count], [2, 5])
  assert.deepEqual(page.body.data.map(inWords), ['entity malware Secret', 'APT1 uses Poison Ivy'])
})

test('invisible objects are as unknown as nonexistent ones', async () => {
  const { report, source } = await makeReport()
  const token = await reader(['read entities', 'read extracts'], source)
  const words = (await referencesOf(report, '?field=object_refs', token)).map(inWords)
  assert.deepEqual(words, [
    'entity malware Poison Ivy',
    'null null null',
    'APT1 uses Poison Ivy',
    'observable domain hugesoft.org',
    'null null null',
  ])
  const blind = await reader(['read entities'], source)
  assert.equal((await referencesOf(report, '?field=object_refs', blind))[3]?.kind, null)
  const stranger = await corvus.tokenFor(['read entities'])
  await withoutGroups(stranger)
  assert.equal((await corvus.call('GET', `entities/${report}/references`, undefined, stranger)).status, 404)
  assert.equal((await corvus.call('GET', `entities/${report}/references?limit=0`)).status, 400)
})
