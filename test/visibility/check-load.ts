import { routes } from '../../server/registry.ts'
import { put, type Scene, type View, whereOf } from './compare.ts'
import { GONE, LOAD, remappedIn } from './frameworks.ts'
import { id } from './instance.ts'
import { REVOKED } from './world.ts'

const route = routes.find(({ method, path }) => method === 'GET' && path === '/attacks/frameworks/loads/:id')

/**
 * Compares the numbers of a load with the model. Two worlds cannot tell whether these count what is not seen: both are in the same database,
 * and everything in it is as much for one as for the other.
 */
export async function checkLoad(scene: Scene, { viewer, instance, seen }: View): Promise<void> {
  if (!route) throw new TypeError('There is no route for a load.')
  const path = () => `/api/v2/attacks/frameworks/loads/${id(instance, LOAD)}`
  const { asked, body } = await put(scene, instance, viewer, { route, method: 'GET', path })
  const { remapped, report } = JSON.parse(body).data
  const isSeen = ({ name }: { readonly name: string }) => seen.names.has(name)
  const all = remappedIn(instance.world).filter(isSeen)
  const using = instance.world.entities.filter(
    (entity) => isSeen(entity) && entity.unifies.length === 0 && entity.states.at(-1)?.attacks.includes(REVOKED),
  )
  const from = (node: string) => all.filter((each) => each.node === node).length
  const usesOf = (node: string) => report.uses.find((each: { id: string }) => each.id === node)?.entities ?? 0
  const got = [remapped.entities, usesOf(REVOKED), usesOf(GONE)]
  const expected = [all.length, using.length + from(REVOKED), from(GONE)]
  if (String(got) !== String(expected))
    scene.fail('a load counts', `${whereOf({ viewer, instance, seen }, asked)}\nexpected ${expected}\ngot      ${got}`)
}
