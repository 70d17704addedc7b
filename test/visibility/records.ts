import type { AddressInfo } from 'node:net'
import { readPositions, START } from '../../server/background/followers/position.ts'
import { routes } from '../../server/registry.ts'
import type { startApp } from '../app.ts'
import { BASE } from '../app.ts'
import { openEventStream, type Told } from '../event-stream.ts'
import type { Chance } from './chance.ts'
import { checkMentions, compare, type Scene, type View, whereOf } from './compare.ts'
import { namesIn } from './draw.ts'
import type { Instance } from './instance.ts'
import { url } from './instance.ts'
import type { Question } from './questions.ts'
import { nameOf } from './routes.ts'
import { differenceOf, reword } from './wording.ts'

type Corvus = Awaited<ReturnType<typeof startApp>>

/** A stream of all changes to the worlds in the database, and the object whose event is the last one. */
export interface Stream {
  readonly address: string
  readonly last: string
}

const ROUTES = new Map(routes.map((route) => [nameOf(route), route]))

function routeNamed(name: string) {
  const route = ROUTES.get(name)
  if (!route) throw new TypeError(`There is no ${name}.`)
  return route
}

/** Creates an object that everybody sees, after all other changes. */
export async function markEnd({ app, call, db }: Corvus, name: string): Promise<Stream> {
  const { body } = await call('POST', 'datasets', { data: { name, workspaces: [1] } })
  const after = (await readPositions(db)).write(START)
  const { port } = app.server.address() as AddressInfo
  return {
    address: `http://127.0.0.1:${port}/api/v2/events?after=${after}`,
    last: `${BASE}/api/v2/datasets/${body.data.id}`,
  }
}

/** Reads the stream of all changes. The viewers of both worlds must receive the same events. */
export async function checkStream(scene: Scene, chance: Chance, view: View): Promise<void> {
  const suffix = chance.flip() ? '&include_object=true' : ''
  const told = async (instance: Instance) => {
    const stream = await openEventStream(`${scene.stream.address}${suffix}`, instance.tokens[view.viewer])
    try {
      return textOf(instance, await stream.upTo(scene.stream.last))
    } finally {
      await stream.close()
    }
  }
  const [got, wanted] = await Promise.all([told(view.instance), told(view.twin)])
  scene.note('GET /events')
  const asked = `GET /events${suffix}`
  checkMentions(scene, view, asked, { asked, status: 200, head: '', body: got })
  const [mine, twins] = [reword(view.instance, got, scene.builtAt), reword(view.twin, wanted, scene.builtAt)]
  if (mine !== twins) scene.fail('GET /events differs', `${whereOf(view, asked)}\n${differenceOf(twins, mine)}`)
}

/**
 * The events about the objects of an instance, without their positions, which differ like ids. Events of one write come
 * in any order; otherwise, they are ordered by time.
 */
const textOf = (instance: Instance, events: readonly Told[]): string =>
  events
    .filter(({ object }) => instance.names.has(object.split('/').at(-1) ?? ''))
    .map(({ id: _, ...event }) => ({ event, text: reword(instance, JSON.stringify(event), '9999') }))
    .toSorted((a, b) => (a.event.at + a.text < b.event.at + b.text ? -1 : 1))
    .map(({ event }) => JSON.stringify(event))
    .join('\n')

/** Requests each event in the history of an object individually. */
export async function checkHistory(scene: Scene, chance: Chance, view: View): Promise<void> {
  const collection = chance.pick(['entities', 'observables', 'tickets', 'workspaces', 'datasets'] as const)
  const names = namesIn(view.instance.world, collection)
  if (names.length === 0) return
  const name = chance.pick(names)
  const list = routeNamed('GET /history-events')
  const asked: Question = {
    route: list,
    method: 'GET',
    path: (instance) => `/api/v2/history-events?sort=at&filter[object]=${url(instance, collection, name)}`,
  }
  const ids = new Map<Instance, string[]>()
  await compare(scene, view, asked, (instance, { body }) => {
    ids.set(instance, JSON.parse(body).data?.map((event: { id: string }) => event.id) ?? [])
  })
  const count = Math.min(...[...ids.values()].map((each) => each.length))
  if (count === 0) return
  const at = chance.below(count)
  await compare(scene, view, {
    route: routeNamed('GET /history-events/:id'),
    method: 'GET',
    path: (instance) => `/api/v2/history-events/${ids.get(instance)?.[at]}`,
  })
}

/** Previews the installation of a pack from the file that it is exported to. */
export async function checkPackPreview(scene: Scene, chance: Chance, view: View): Promise<void> {
  const { name } = chance.pick(view.instance.world.holdings.packs)
  const files = new Map<Instance, string>()
  await compare(
    scene,
    view,
    {
      route: routeNamed('GET /knowledge-packs/:id/export'),
      method: 'GET',
      path: (instance) => `/api/v2/knowledge-packs/${instance.ids.get(name)}/export`,
    },
    (instance, { body }) => files.set(instance, body),
  )
  await compare(scene, view, {
    route: routeNamed('POST /knowledge-packs/install'),
    method: 'POST',
    path: () => '/api/v2/knowledge-packs/install?preview=true',
    body: (instance) => JSON.parse(files.get(instance) ?? '{}'),
  })
}
