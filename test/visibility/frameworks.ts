import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { startApp } from '../app.ts'
import { FORM, formOf } from '../form.ts'
import { bundleOf } from '../set-up/attack-bundle.ts'
import type { Insert } from './inserter.ts'
import { id } from './instance.ts'
import { REVOKED, type World } from './world.ts'

type Corvus = Awaited<ReturnType<typeof startApp>>

/** What all worlds call the load of an attack framework, and the choice in a review of it. */
export const LOAD = 'load'
const CHOICE = 'choice'

/** A node that no entity has any more. */
export const GONE = 'TA0107:T0803'
const SUCCESSORS = ['T9001', 'T9002']
const tactics = ['inhibit-response-function']

/** A small version of a matrix, in which one node has several successors and all others are gone, as a form. */
export const BUNDLE = formOf([
  {
    name: 'file',
    filename: 'bundle.json',
    type: 'application/json',
    value: bundleOf({
      matrix: 'ics-attack',
      name: 'ATT&CK for ICS',
      version: '99.0',
      tactics: [{ id: 'TA0107', name: 'Inhibit Response Function', shortName: tactics[0] ?? '' }],
      techniques: [
        { id: 'T0800', name: 'Activate Firmware Update Mode', tactics, revokedBy: SUCCESSORS },
        ...SUCCESSORS.map((each) => ({ id: each, name: each, tactics })),
      ],
    }),
  },
])

/**
 * Stores a load with two reviews, one of them open, and returns their ids by name. Its version is not loaded in fact, so that entities can be
 * written with the node that it revokes.
 */
export async function storeLoad({ app, admin, db }: Corvus): Promise<[string, string][]> {
  const answer = await app.inject({
    method: 'POST',
    url: '/api/v2/attacks/frameworks/preview',
    headers: { authorization: `Bearer ${admin}`, ...FORM },
    payload: BUNDLE,
  })
  assert.equal(answer.statusCode, 201, answer.payload)
  const { data } = answer.json()
  await sql`
    update framework_loads set state = 'loaded', document = null, previous = '', loaded_at = now()
    where id = ${data.id}`.execute(db)
  const successors = SUCCESSORS.map((each) => `TA0107:${each}`)
  const { rows } = await sql<{ id: number }>`
    insert into framework_reviews (load, node, successors, state, chosen)
    values (${data.id}, ${REVOKED}, ${successors}, 'open', '{}'), (${data.id}, ${GONE}, ${successors}, 'chosen', ${successors})
    returning id`.execute(db)
  return [
    [LOAD, String(data.id)],
    [CHOICE, String(rows[1]?.id)],
  ]
}

/** Which entities the load and the choice re-mapped, and from which node. */
export const remappedIn = ({ entities }: World): { readonly name: string; readonly node: string }[] =>
  entities.filter((_, i) => i % 3 > 0).map(({ name }, i) => ({ name, node: i % 2 === 0 ? REVOKED : GONE }))

export const insertRemappings = (insert: Insert): Promise<void> =>
  insert(
    'framework_remappings',
    'load integer, review integer, entity uuid, node text, successors text[]',
    (instance) =>
      remappedIn(instance.world).map(({ name, node }) => ({
        load: id(instance, LOAD),
        review: node === GONE ? id(instance, CHOICE) : null,
        entity: id(instance, name),
        node,
        successors: [`TA0107:${SUCCESSORS[0]}`],
      })),
  )
