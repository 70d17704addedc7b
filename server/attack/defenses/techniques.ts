import type { Context } from '../../engine/context.ts'
import { badRequest } from '../../engine/errors.ts'
import type { Id } from '../../engine/reference.ts'
import { isTechnique, type Nodes, readNodes } from '../classification/nodes.ts'
import { faultOf } from '../classification/references.ts'

/** A value that has to be a technique, and its path in the body. */
export interface MentionedTechnique {
  readonly path: string
  readonly id: Id
}

/** Refuses everything that is not a technique or sub-technique below a tactic, live or dead. */
export async function requireTechniques(ctx: Context, mentioned: readonly MentionedTechnique[]): Promise<void> {
  if (mentioned.length === 0) return
  const nodes = await readNodes(ctx)
  const faults = mentioned.flatMap(({ path, id }) => {
    const fault = techniqueFault(nodes, String(id))
    return fault === undefined ? [] : [`${path}: ${fault}`]
  })
  if (faults.length > 0) throw badRequest(faults)
}

function techniqueFault(nodes: Nodes, id: string): string | undefined {
  const node = nodes.get(id)
  if (node === undefined) return faultOf(nodes, id)
  return isTechnique(node) ? undefined : `'${id}' is a ${node.type}, not a technique`
}
