import type { Collection } from '../../server/collections.ts'
import type { Route } from '../../server/engine/route.ts'
import type { Aim } from './bodies.ts'
import type { Chance } from './chance.ts'
import { type Answer, checkMentions, compare, type Eyes, put, type Scene, type View, whereOf } from './compare.ts'
import { namesIn } from './draw.ts'
import type { Instance } from './instance.ts'
import { askAbout, narrowing, type Question } from './questions.ts'
import { routeOf, WORLDLY, WRITTEN, weightedRoutes } from './routes.ts'
import { write, writingRoutes } from './writes.ts'

/** How many pages of a list are read. */
const PAGES = 3

/** Lists and counts whole collections, which must contain exactly what the model says. */
export async function checkLists(scene: Scene, chance: Chance, view: Eyes | View): Promise<void> {
  const { viewer, seen, instance } = view
  const isWritten = (name: Collection) => WRITTEN.some((each) => each === name)
  for (const collection of WORLDLY.filter((name) => chance.flip(isWritten(name) ? 0.3 : 0.15))) {
    const route = routeOf(collection, 'GET')
    const expected = namesIn(instance.world, collection).filter((name) => seen.names.has(name))
    const ask = async (query: string): Promise<Answer> => {
      const path = (own: Instance) => `/api/v2${route.path}?${[query, ...narrowing(own, collection)].join('&')}`
      const question: Question = { route, method: 'GET', path }
      if ('twin' in view) return compare(scene, view, question)
      const answer = await put(scene, instance, viewer, question)
      checkMentions(scene, view, `GET ${route.path}`, answer)
      return answer
    }
    const list = await ask('limit=1000')
    const { data, total_count } = JSON.parse(list.body)
    const got: string[] = data?.map((item: { id: unknown }) => instance.names.get(String(item.id)) ?? 'new') ?? []
    if (String(got.toSorted()) !== String(expected.toSorted()) || total_count !== expected.length) {
      scene.fail(`${collection} in a list`, `${whereOf(view, list.asked)}\nexpected ${expected}\ngot      ${got}`)
    }
    if (chance.flip(0.6)) continue
    const count = await ask('data=false')
    if (JSON.parse(count.body).total_count !== expected.length) {
      scene.fail(
        `${collection} in a count`,
        `${whereOf(view, count.asked)}\nexpected ${expected.length}\ngot ${count.body}`,
      )
    }
  }
}

/** Requests a sample of everything that can be read. */
export async function checkReads(scene: Scene, chance: Chance, view: View, count: number): Promise<void> {
  for (const route of turn(weightedRoutes, view, count)) await checkRead(scene, chance, view, route)
}

/** A sample of a list for one world. Over all worlds, each element occurs equally often. */
function turn<T>(list: readonly T[], { instance }: View, count: number): T[] {
  const first = instance.world.seed * count
  return Array.from({ length: count }, (_, i) => list[(first + i) % list.length] as T)
}

const checkRead = (scene: Scene, chance: Chance, view: View, route: Route): Promise<void> =>
  checkPages(scene, view, askAbout(chance, view.instance.world, route, scene.times))

/** Sends a request, and requests the next pages if there are any. */
async function checkPages(scene: Scene, view: View, question: Question): Promise<void> {
  let next: Question = question
  for (let page = 0; page < PAGES; page++) {
    const cursors = new Map<unknown, string | undefined>()
    await compare(scene, view, next, (instance, { body }) => {
      cursors.set(instance, /"cursor":"([\w-]+)"/.exec(body)?.[1])
    })
    if (cursors.get(view.instance) === undefined || cursors.get(view.twin) === undefined) return
    next = { ...question, path: (instance) => `${question.path(instance)}&page[cursor]=${cursors.get(instance)}` }
  }
}

/** Sends writes that refer to something unseen. Each must be refused as if that did not exist. */
export async function checkRefusals(scene: Scene, chance: Chance, view: View, count: number): Promise<void> {
  const { seen, instance } = view
  for (const route of turn(writingRoutes, view, count)) {
    const aims = chance.flip() ? AIMS : AIMS.toReversed()
    const question = aims
      .values()
      .map((aim) => write({ chance, world: instance.world, seen, aim }, route))
      .find((each) => each !== undefined)
    if (!question) continue
    const { status, asked } = await compare(scene, view, question)
    if (status < 400) scene.fail(`${route.method} ${route.path} succeeds`, `${whereOf(view, asked)}\ngot ${status}`)
  }
}

const AIMS: readonly Aim[] = ['unseen owner', 'unseen target']

/** Sends writes that refer only to what is seen, and compares the results. */
export async function checkWrites(scene: Scene, chance: Chance, view: View, count: number): Promise<void> {
  for (const route of turn(changing, view, count)) await checkWrite(scene, chance, view, route)
}

/** Deletes something that is seen, and compares what is left. */
export async function checkRemovals(scene: Scene, chance: Chance, view: View): Promise<void> {
  for (const route of turn(removing, view, 1)) await checkWrite(scene, chance, view, route)
}

async function checkWrite(scene: Scene, chance: Chance, view: View, route: Route): Promise<void> {
  const question = write({ chance, world: view.instance.world, seen: view.seen, aim: 'seen' }, route)
  if (!question) return
  await compare(scene, view, question)
  if (chance.flip()) await checkRead(scene, chance, view, chance.pick(weightedRoutes))
}

const isRemoving = ({ method, path }: Route): boolean => method === 'DELETE' && !/\/tags|\/:id\/\w/.test(path)
const removing = writingRoutes.filter(isRemoving)
const changing = writingRoutes.filter((route) => !isRemoving(route))
