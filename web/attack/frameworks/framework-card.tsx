import { Alert, Badge, Button, Group, Text } from '@mantine/core'
import { nameOf, useNames } from '../../api/names.ts'
import { useMay } from '../../api/session.ts'
import { Card } from '../../ui/card.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Moment } from '../../ui/moment.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { counted } from '../analyses/analysis.ts'
import { DEFAULT_MATRIX } from '../matrices.ts'
import { type Framework, frameworkName } from './framework.ts'

const COUNTS = [
  ['tactic', 'Tactics'],
  ['technique', 'Techniques'],
  ['subtechnique', 'Sub-techniques'],
  ['mitigation', 'Mitigations'],
  ['detection-strategy', 'Detection strategies'],
  ['analytic', 'Analytics'],
  ['data-component', 'Data components'],
] as const

interface FrameworkCardProps {
  readonly framework: Framework
  /** Opens the dialog that loads another version; absent without the permission. */
  readonly onLoad?: () => void
}

/** A framework in the version that is stored here. */
export function FrameworkCard({ framework, onLoad }: FrameworkCardProps) {
  const mayCount = useMay()('read entities')
  const { matrix, version, counts, has_texts, notice, open_reviews, load } = framework
  return (
    <Card
      title={frameworkName(matrix)}
      after={
        <Badge variant="default" radius="xs">
          {version}
        </Badge>
      }
      description={<Loaded framework={framework} />}
      actions={
        <Group gap="sm" wrap="nowrap">
          {load !== null && <PageLink to={`/attack/frameworks/${load}`}>Report</PageLink>}
          {mayCount && (
            <PageLink to="/attack" search={{ matrix: matrix === DEFAULT_MATRIX ? undefined : matrix }}>
              Matrix
            </PageLink>
          )}
        </Group>
      }
    >
      <Facts
        columns={4}
        facts={COUNTS.flatMap(([name, label]) =>
          counts[name] ? [[label, counts[name].toLocaleString('en')] as const] : [],
        )}
      />
      {open_reviews > 0 && (
        <Alert color="yellow" variant="light" p="xs">
          {counted(open_reviews, 'node has', 'nodes have')} several successors and{' '}
          {open_reviews === 1 ? 'waits' : 'wait'} for your choice.{' '}
          <PageLink to="/attack/reviews" search={{ matrix }} inherit>
            Review
          </PageLink>
        </Alert>
      )}
      {has_texts ? (
        notice !== '' && (
          <Text size="xs" c="dimmed" component="div">
            <PlainText text={notice} />
          </Text>
        )
      ) : (
        <Group gap="xs" justify="space-between">
          <Text size="xs" c="dimmed" flex="1 1 14rem">
            Without descriptions: they belong to the publisher, and come with the official bundle.
          </Text>
          {onLoad && (
            <Button variant="default" size="compact-sm" onClick={onLoad}>
              Load descriptions
            </Button>
          )}
        </Group>
      )}
    </Card>
  )
}

/** When the version was loaded, and by whom. */
function Loaded({ framework: { load, loaded_at, loaded_by } }: { readonly framework: Framework }) {
  const users = useNames('users')
  if (load === null && loaded_by === null) return 'Came with Corvus'
  return (
    <>
      Loaded <Moment at={loaded_at} />
      {loaded_by !== null && ` by ${nameOf(users, loaded_by)}`}
    </>
  )
}
