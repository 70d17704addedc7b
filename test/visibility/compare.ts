import type { FastifyInstance } from 'fastify'
import { FORM } from '../form.ts'
import type { Instance } from './instance.ts'
import type { Seen } from './model.ts'
import type { Question } from './questions.ts'
import type { Stream } from './records.ts'
import { differenceOf, ownPart, reword, unseenIn } from './wording.ts'
import type { Viewer } from './world.ts'

/** One viewer of a world. */
export interface Eyes {
  readonly viewer: Viewer
  readonly seen: Seen
  readonly instance: Instance
}

/** One viewer of a world, and a twin of the world that contains only what they see. */
export interface View extends Eyes {
  readonly twin: Instance
}

/** What a check needs besides the view. */
export interface Scene {
  readonly app: FastifyInstance
  /** When the last of the instances was complete. */
  readonly builtAt: string
  /** Times at which something was written. */
  readonly times: readonly string[]
  readonly stream: Stream
  /** Whether an id belongs to one of the worlds. */
  isKnown(id: string): boolean
  /** Records a fault; `kind` groups those that are alike. */
  fail(kind: string, text: string): void
  /** Records that a route was requested. */
  note(route: string): void
}

/** A response, and the request as it was sent. */
export interface Answer {
  readonly asked: string
  readonly status: number
  readonly head: string
  readonly body: string
}

/** Headers that can reveal something about an object. */
const TELLING = [
  'etag',
  'content-disposition',
  'content-type',
  'content-range',
  'last-modified',
  'location',
  'x-taxii-date-added-first',
  'x-taxii-date-added-last',
] as const

/** A body as it is sent, and in messages: a form as bytes, everything else as JSON. */
function sentAs(body: unknown) {
  if (body === undefined) return undefined
  if (Buffer.isBuffer(body)) return { payload: body, headers: FORM, shown: 'a form' }
  const payload = JSON.stringify(body)
  return { payload, headers: { 'content-type': 'application/json' }, shown: payload }
}

/** Sends a request to an instance as one of its viewers. */
export async function put(scene: Scene, instance: Instance, viewer: Viewer, question: Question): Promise<Answer> {
  const { route, method } = question
  const url = question.path(instance)
  const sent = sentAs(question.body?.(instance))
  const answer = await scene.app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${instance.tokens[viewer]}`, ...sent?.headers },
    ...(sent && { payload: sent.payload }),
  })
  scene.note(`${method} ${route.base ?? ''}${route.path}`)
  return {
    asked: decodeURIComponent(`${method} ${url} ${sent?.shown ?? ''}`),
    status: answer.statusCode,
    head: TELLING.flatMap((name) => answer.headers[name] ?? []).join(' '),
    body: question.isOfAll ? ownPart(instance, answer.payload) : readableIn(route, answer.payload),
  }
}

/** An encrypted archive differs each time; its length does not. */
const readableIn = ({ path }: Question['route'], payload: string): string =>
  path === '/detonations/:id/sample' && payload.startsWith('PK') ? 'an archive' : payload

/** Records what a response mentions that the viewer may not know of. */
export function checkMentions(scene: Scene, view: Eyes, kind: string, answer: Answer): void {
  const { instance, seen } = view
  const told = unseenIn(instance, seen, answer.asked, `${answer.head} ${answer.body}`, scene.isKnown)
  if (told.length === 0) return
  const names = told.map((mention) => instance.names.get(mention) ?? mention).join(', ')
  scene.fail(`${kind} tells`, `${whereOf(view, answer.asked)}\ntells ${names}`)
}

/** Who requested what, so that it can be repeated. */
export const whereOf = ({ viewer, instance }: Eyes, asked: string): string =>
  `seed ${instance.world.seed}, ${viewer}, ${asked}`

/** Sends the same request to both instances. The responses must be equal and mention nothing that is not seen. */
export async function compare(
  scene: Scene,
  view: View,
  question: Question,
  look?: (instance: Instance, answer: Answer) => void,
): Promise<Answer> {
  const { viewer, instance, twin } = view
  const kind = `${question.method} ${question.route.path}`
  const [answer, expected] = await Promise.all([
    put(scene, instance, viewer, question),
    put(scene, twin, viewer, question),
  ])
  look?.(instance, answer)
  look?.(twin, expected)
  checkMentions(scene, view, kind, answer)
  const got = worded(scene, instance, answer)
  const wanted = worded(scene, twin, expected)
  if (got !== wanted) scene.fail(`${kind} differs`, `${whereOf(view, answer.asked)}\n${differenceOf(wanted, got)}`)
  if (answer.status >= 500) scene.fail(`${kind} fails`, `${whereOf(view, answer.asked)}\ngot ${got}`)
  return answer
}

const worded = (scene: Scene, instance: Instance, { status, head, body }: Answer): string =>
  reword(instance, `${status} ${head} ${body}`, scene.builtAt)
