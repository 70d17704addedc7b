import assert from 'node:assert/strict'
import { test } from 'node:test'
import { effort } from '../effort.ts'
import { chanceOf, change, type Sent } from './changes.ts'
import { receiver, sender } from './two-servers.ts'
import { openUpstream } from './upstream.ts'
import { type Connected, connect, hasRelationships, isList, transfer, WAYS, type Way } from './ways.ts'

/** How often the sender's content changes and is transferred. */
const CYCLES = effort(20, 3)

type Server = typeof sender

interface State {
  readonly entities: Record<string, unknown>
  readonly relationships: string[]
}

const ENTITY = `
  select e.id, e.stix_id, e.type, e.data ->> 'title' as title, e.data ->> 'description' as description,
    array(select t from unnest(e.tags) as t order by t) as tags,
    array(
      select o.type || ' ' || o.value from entity_observables as l join observables as o on o.id = l.target
      where l.source = e.id order by 1) as observables
  from entities as e`

/** The entities of a server that match a condition, in a comparable form. */
async function stateOf({ pool }: Server, condition: string, value: unknown): Promise<State> {
  const { rows } = await pool.query(`${ENTITY} where not e.is_unresolved and ${condition} order by e.stix_id`, [value])
  const ids = rows.map(({ id }) => id)
  const { rows: between } = await pool.query<{ key: string }>(
    `select s.stix_id || ' ' || r.key || ' ' || t.stix_id as key
     from relationships as r join entities as s on s.id = r.source join entities as t on t.id = r.target
     where r.source = any($1) and r.target = any($1) order by 1`,
    [ids],
  )
  return {
    entities: Object.fromEntries(rows.map(({ id: _, stix_id, ...rest }) => [stix_id, rest])),
    relationships: between.map(({ key }) => key),
  }
}

const IN_DATASET = 'not e.is_withdrawn and e.id in (select target from dataset_entities where source = $1)'
const OF_FEED = 'not e.is_withdrawn and e.vis >> 3 = (select number from sources where id = $1)'

/** The observables in a state, without the entities that have them. */
const valuesIn = ({ entities }: State): string[] =>
  [...new Set(Object.values(entities).flatMap((entity) => (entity as { observables: string[] }).observables))].sort()

async function compare(way: Way, { dataset, incoming }: Connected, message: string): Promise<void> {
  const sent = await stateOf(sender, IN_DATASET, dataset)
  const held = await stateOf(receiver, OF_FEED, incoming.source.split('/').at(-1))
  if (isList(way)) assert.deepEqual(valuesIn(held), valuesIn(sent), message)
  else {
    assert.deepEqual(held.entities, sent.entities, message)
    if (hasRelationships(way)) assert.deepEqual(held.relationships, sent.relationships, message)
  }
}

for (const [number, way] of WAYS.entries()) {
  test(`${way.name}: after each of ${CYCLES} cycles the receiver has what the sender has`, async () => {
    const connected = await connect(way)
    const { dataset } = connected
    const upstream = await openUpstream(way.name, dataset)
    const sent: Sent = { dataset, entities: [], left: [], upstream, relationships: [], count: number * 1000 }
    const chance = chanceOf(number + 7)
    await change(chance, sent, 1)
    for (let cycle = 0; cycle < CYCLES; cycle++) {
      const changes = await change(chance, sent, 6)
      await transfer(way, connected)
      await compare(way, connected, `${way.name}, cycle ${cycle}: ${changes.join(', ')}`)
    }
  })
}
