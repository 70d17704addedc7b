import { call } from '../api/call.ts'
import { entityKey, observableKey } from './model.ts'
import { consolidationOf } from './requests.ts'

/** The paths between two entities. */
export interface PathsAnswer {
  /** Each path from one end to the other. */
  readonly paths: readonly (readonly string[])[]
  /** Observables shared by neighbours on a path, as far as they are returned. */
  readonly shared: readonly {
    readonly ends: readonly [string, string]
    readonly count: number
    readonly keys: readonly string[]
  }[]
  readonly searchedLength: number
  readonly isComplete: boolean
}

interface PathsBody {
  readonly data: {
    readonly paths: readonly { readonly entities: readonly string[] }[]
    readonly edges: readonly (
      | { readonly kind: 'relationship' | 'unifies' }
      | {
          readonly kind: 'shared'
          readonly source: string
          readonly target: string
          readonly count: number
          readonly observables: readonly { readonly id: number }[]
        }
    )[]
    readonly searched_length: number
    readonly is_complete: boolean
  }
}

/** Finds the paths between two entities. */
export async function findPaths(
  ends: { readonly from: string; readonly to: string },
  longest: number,
  via: 'relationships' | 'both',
  isCollapsed: boolean,
): Promise<PathsAnswer> {
  const body = {
    from: ends.from.slice(2),
    to: ends.to.slice(2),
    max_length: longest,
    via,
    limit: 100,
    ...consolidationOf(isCollapsed),
  }
  const { data } = await call<PathsBody>('POST', 'graph/paths', { data: body })
  return {
    paths: data.paths.map(({ entities }) => entities.map(entityKey)),
    shared: data.edges.flatMap((edge) =>
      edge.kind === 'shared'
        ? [
            {
              ends: [entityKey(edge.source), entityKey(edge.target)] as const,
              count: edge.count,
              keys: edge.observables.map(({ id }) => observableKey(id)),
            },
          ]
        : [],
    ),
    searchedLength: data.searched_length,
    isComplete: data.is_complete,
  }
}
