import type { Route } from '../../server/engine/route.ts'
import type { Chance } from './chance.ts'
import { type Answer, checkMentions, put, type Scene, type View, whereOf } from './compare.ts'
import { type Instance, id, observableValue, stixId, text, url } from './instance.ts'
import type { Question } from './questions.ts'
import { routeOf, type WRITTEN } from './routes.ts'

type Worldly = (typeof WRITTEN)[number]

/** A body with the key of an existing object. */
interface Taken {
  readonly collection: Worldly
  body(instance: Instance): Record<string, unknown>
}

/** Unseen objects, by their unique keys. */
function takenKeys({ seen, instance: { world } }: View): Taken[] {
  const isUnseen = ({ name }: { readonly name: string }) => !seen.names.has(name)
  return [
    ...world.entities
      .filter((entity) => isUnseen(entity) && seen.own.length > 0)
      .map(({ name, type }) => ({
        collection: 'entities' as const,
        body: (instance: Instance) => ({
          data: { id: stixId(instance, name, type), type: 'tool', title: 'Taken' },
          sources: [id(instance, seen.own[0] ?? '')],
        }),
      })),
    ...(['datasets', 'workspaces', 'tickets'] as const).flatMap((collection) =>
      world[collection].filter(isUnseen).map(({ name }) => ({
        collection,
        body: (instance: Instance) => ({ name: text(instance, name), workspaces: [1], description: 'Taken' }),
      })),
    ),
    ...world.attachments.filter(isUnseen).map(({ name }) => ({
      collection: 'attachments' as const,
      body: (instance: Instance) => ({ id: id(instance, name), filename: 'taken.txt', data: 'dGFrZW4=' }),
    })),
    ...world.relationships.filter(isUnseen).flatMap(({ name, from, to, key, isUpdate, sources }) => {
      const ends = { key, ...(isUpdate && { subtype: 'stix_update_of' }) }
      const body = (instance: Instance) => ({
        data: { ...ends, source: id(instance, from), target: id(instance, to) },
        sources: sources.map((source) => id(instance, source)),
      })
      const collection = 'relationships' as const
      const areEndsSeen =
        seen.names.has(from) && seen.names.has(to) && sources.every((source) => seen.own.includes(source))
      const withId = (instance: Instance) => ({ ...body(instance), id: id(instance, name) })
      return areEndsSeen
        ? [
            { collection, body },
            { collection, body: withId },
          ]
        : []
    }),
  ]
}

/** A key that is taken by an unseen object is a conflict, and the error reveals nothing else. */
export async function checkTaken(scene: Scene, chance: Chance, view: View): Promise<void> {
  const all = takenKeys(view)
  if (all.length === 0) return
  const { collection, body } = chance.pick(all)
  const route = routeOf(collection, chance.pick(['PUT', 'POST']))
  const answer = await put(scene, view.instance, view.viewer, question(route, body))
  checkMentions(scene, view, `${route.method} ${route.path}`, answer)
  if (answer.status === 409) return
  scene.fail(
    `${route.method} ${route.path} of a taken key`,
    `${whereOf(view, answer.asked)}\nexpected 409\ngot ${answer.status} ${answer.body}`,
  )
}

/** An observable exists only once. If it is unseen, a write returns it as new, and reveals nothing about others. */
export async function checkKnownObservable(scene: Scene, chance: Chance, view: View): Promise<void> {
  const { seen, instance, viewer } = view
  const unseen = instance.world.observables.filter(({ name }) => !seen.names.has(name))
  const [source] = seen.own
  if (unseen.length === 0 || source === undefined) return
  const observable = chance.pick(unseen)
  const route = routeOf('observables', chance.pick(['PUT', 'POST']))
  const answer = await put(
    scene,
    instance,
    viewer,
    question(route, (own) => ({
      type: observable.type,
      value: observableValue(own, observable),
      sources: [id(own, source)],
    })),
  )
  const allowed = { ...view, seen: { ...seen, names: new Set([...seen.names, observable.name]) } }
  checkMentions(scene, allowed, `${route.method} ${route.path}`, answer)
  if (answer.status === 201) return checkFresh(scene, view, answer)
  scene.fail(
    `${route.method} ${route.path} of an unseen one`,
    `${whereOf(view, answer.asked)}\nexpected 201\ngot ${answer.status} ${answer.body}`,
  )
}

/** Checks that the observable looks as if the viewer had just created it. */
function checkFresh(scene: Scene, view: View, { asked, body }: Answer): void {
  const { data } = JSON.parse(body)
  const made = Array.isArray(data) ? data[0] : data
  // Users can belong to a group and see nothing of its source.
  if (made?.created_at === undefined) return
  const viewer = url(view.instance, 'users', view.viewer)
  const isFresh =
    made.created_at > scene.builtAt &&
    made.last_updated_at === made.created_at &&
    made.created_by === viewer &&
    made.last_updated_by === viewer &&
    made.meta.maliciousness === 'unknown' &&
    made.entities.length === 0
  if (!isFresh) scene.fail('an observable that was new tells who had it', `${whereOf(view, asked)}\ngot ${body}`)
}

const question = (route: Route, body: Taken['body']): Question => ({
  route,
  method: route.method,
  path: () => `/api/v2${route.path}`,
  body: (instance) => ({ data: route.method === 'PUT' ? [body(instance)] : body(instance) }),
})
