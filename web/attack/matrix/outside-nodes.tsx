import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { listQuery } from '../../api/lists.ts'
import { PageLink } from '../../ui/page-link.tsx'
import { useUrlState } from '../../ui/use-url-state.ts'
import { counted } from '../analyses/analysis.ts'
import { matrixName } from '../matrices.ts'
import { type OutsideNode, outsideOf } from './outside.ts'
import type { Reclassification } from './use-classification.ts'

interface OutsideNodesProps {
  readonly matrix: string
  /** What an entity is classified with that is no technique of the matrix. */
  readonly ids: readonly string[]
  /** Absent for users who cannot change it. */
  readonly onChange?: (changed: Reclassification, message: string) => void
}

const STATES = ['live', 'revoked', 'deprecated']
const ATTRIBUTES = 'id,name,type,matrix,state,successors'
/** Ids of one request, so that its address stays short. */
const MAX_IDS = 100

/** What an entity is classified with outside the matrix: dead nodes with what took their place, unknown ids, tactics, and other matrices. */
export function OutsideNodes({ matrix, ids, onChange }: OutsideNodesProps) {
  const url = useUrlState()
  const found = useQuery({
    ...listQuery<OutsideNode>('attacks', {
      'filter[id]': ids.slice(0, MAX_IDS),
      'filter[state]': STATES,
      attributes: ATTRIBUTES,
      limit: MAX_IDS,
    }),
    enabled: ids.length > 0,
  })
  if (ids.length === 0 || !found.data) return null
  const { others, odd } = outsideOf(ids.slice(0, MAX_IDS), found.data.data, matrix)
  return (
    <>
      {others.length > 0 && (
        <Text size="sm" c="dimmed">
          Also classified in{' '}
          {others.map(([other, count], i) => (
            <span key={other}>
              {i > 0 && ', '}
              <PageLink to="/attack" search={{ classify: url.get('classify'), matrix: other }} inherit>
                {matrixName(other)}
              </PageLink>{' '}
              ({counted(count, 'technique', 'techniques')})
            </span>
          ))}
          .
        </Text>
      )}
      {odd.length > 0 && (
        <Alert color="yellow" variant="light" title="Outside the matrix">
          <Stack gap={6} mt={4}>
            {odd.map((node) => (
              <OddNode key={node.id} node={node} onChange={onChange} />
            ))}
          </Stack>
        </Alert>
      )}
    </>
  )
}

interface OddNodeProps {
  readonly node: ReturnType<typeof outsideOf>['odd'][number]
  readonly onChange: OutsideNodesProps['onChange']
}

function OddNode({ node: { id, name, why, successors }, onChange }: OddNodeProps) {
  return (
    <Group gap="xs">
      <Text size="sm">
        <span className="code">{id}</span> {name} <em>({why})</em>
      </Text>
      {onChange && (
        <>
          {successors.map((successor) => (
            <Button
              key={successor}
              size="compact-xs"
              onClick={() => onChange({ add: [successor], remove: [id] }, `${id} replaced with ${successor}`)}
            >
              Replace with {successor}
            </Button>
          ))}
          <Button
            size="compact-xs"
            variant="default"
            aria-label={`Remove ${id}`}
            onClick={() => onChange({ add: [], remove: [id] }, `${id} removed`)}
          >
            Remove
          </Button>
        </>
      )}
    </Group>
  )
}
