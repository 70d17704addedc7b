import { Group, Text } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { type Page, searchOf } from '../../api/lists.ts'
import { useMay } from '../../api/session.ts'
import { DEFAULT_MATRIX } from '../../attack/matrices.ts'
import { PageLink } from '../../ui/page-link.tsx'

interface Node {
  readonly id: string
  readonly name: string
  readonly matrix: string
  readonly external_id: string
}

/** The number of ids per request, so that addresses stay short. */
const MAX_IDS = 150
/** Techniques are in up to four tactics of a matrix. */
const MAX_NODES = 2_000

/** The nodes with some external ids such as T1059, one for each; those of the enterprise matrix come first. */
const nodesQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: ['attacks', 'by external id', ids],
    queryFn: async ({ signal }) => {
      const search = searchOf({
        'filter[external_id]': ids.slice(0, MAX_IDS),
        attributes: 'id,name,matrix,external_id',
        limit: MAX_NODES,
      })
      const { data } = await call<Page<Node>>('GET', `attacks${search}`, undefined, signal)
      const later = ({ matrix }: Node) => (matrix === DEFAULT_MATRIX ? 0 : 1)
      return new Map(data.toSorted((a, b) => later(b) - later(a)).map((node) => [node.external_id, node]))
    },
    staleTime: 300_000,
  })

interface TechniquesProps {
  /** The ids that the publisher of the framework gives them. */
  readonly ids: readonly string[]
  /** The ids of the whole page, which are loaded together. */
  readonly all: readonly string[]
}

/** Techniques and tactics, linked to their nodes in the matrix. */
export function Techniques({ ids, all }: TechniquesProps) {
  const mayRead = useMay()('read attack')
  const { data: nodes } = useQuery({ ...nodesQuery(all), enabled: mayRead && all.length > 0 })
  if (ids.length === 0) return null
  return (
    <Group gap="xs">
      {ids.map((id) => {
        const node = nodes?.get(id)
        if (!node)
          return (
            <Text key={id} size="xs" className="code">
              {id}
            </Text>
          )
        return (
          <PageLink
            key={id}
            size="xs"
            to="/attack"
            search={{ matrix: node.matrix === DEFAULT_MATRIX ? undefined : node.matrix, node: node.id }}
          >
            {id} {node.name}
          </PageLink>
        )
      })}
    </Group>
  )
}
