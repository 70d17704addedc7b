import { Anchor, Badge, Button, Group, Modal, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { oneQuery } from '../../api/lists.ts'
import { nameOf, useNames } from '../../api/names.ts'
import { useMay } from '../../api/session.ts'
import { defangText } from '../../domain/defang-text.ts'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Icon } from '../../ui/icon.tsx'
import { LoadFault } from '../../ui/load-fault.tsx'
import { NoPermission } from '../../ui/no-permission.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { wholeQuery } from '../all-pages.ts'
import { nodeIdOf } from '../analyses/analysis.ts'
import { AttackTabs } from '../attack-tabs.tsx'
import { addressOf } from '../matrix/external-address.ts'
import { DEFENSES, type Defense, defenseTypeName, RELATIONSHIPS } from './defense.ts'
import { DefenseForm } from './defense-form.tsx'
import { DefenseLogSources } from './defense-log-sources.tsx'
import { Domains, OwnBadge } from './defense-table.tsx'
import { DefenseTechniques, type Relationship } from './defense-techniques.tsx'
import { RelatedDefenses } from './related-defenses.tsx'
import { renewCoverage, useStatuses } from './status.ts'
import { ReviewDay } from './status-badge.tsx'
import { StatusInputs } from './status-inputs.tsx'

/** The page of a defense: how far it is built, what it works against, and what it consists of. */
export function DefensePage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const canRead = useMay()('read attack')
  const query = useQuery({ ...oneQuery<Defense>(`${DEFENSES}/${id}`), enabled: canRead })
  return (
    <>
      <AttackTabs />
      {query.data ? (
        <Content defense={query.data} />
      ) : (
        <>
          <PageHead title="Defense" />
          <LoadFault query={query} />
          {canRead ? (
            query.isPending && <Skeleton h={320} role="status" aria-label="Loading defense" />
          ) : (
            <NoPermission permission="read attack" />
          )}
        </>
      )}
    </>
  )
}

function Content({ defense }: { readonly defense: Defense }) {
  const relationships = useQuery(wholeQuery<Relationship>(RELATIONSHIPS, { 'filter[defense]': defense.id }))
  const hasLogSources = defense.type === 'analytic' || defense.type === 'data-component'
  return (
    <Stack gap="md">
      <Head defense={defense} relationships={relationships.data} />
      <DefenseFacts defense={defense} />
      {defense.description !== '' && (
        <Text size="sm" component="div" maw="80ch">
          <PlainText text={defense.description} />
        </Text>
      )}
      {defense.mutable_elements && defense.mutable_elements.length > 0 && <Mutable defense={defense} />}
      <RelatedDefenses defense={defense} />
      {hasLogSources && <DefenseLogSources defense={defense} />}
      <DefenseTechniques defense={defense} relationships={relationships} />
    </Stack>
  )
}

interface HeadProps {
  readonly defense: Defense
  readonly relationships: readonly Relationship[] | undefined
}

function Head({ defense, relationships }: HeadProps) {
  const mayChange = useMay()('modify attack') && !defense.is_system
  const navigate = useNavigate()
  const [isEdited, setIsEdited] = useState(false)
  const name = defangText(defense.name)
  const remove = async () => {
    await call('DELETE', `${DEFENSES}/${defense.id}`)
    await navigate({ to: '/attack/defenses' })
    showToast(`“${name}” deleted`)
    await renewCoverage(DEFENSES)
  }
  return (
    <>
      <PageHead
        title={defense.external_id ? `${defense.external_id} ${name}` : name}
        after={
          <>
            <Badge variant="default" radius="xs" fw={500}>
              {defenseTypeName(defense.type)}
            </Badge>
            {!defense.is_system && <OwnBadge />}
          </>
        }
        actions={
          mayChange &&
          relationships && (
            <>
              <Button variant="default" leftSection={<Icon name="edit" />} onClick={() => setIsEdited(true)}>
                Edit
              </Button>
              <ConfirmButton label="Delete" title={`Delete “${name}”?`} confirm="Delete defense" onConfirm={remove}>
                Its status and its techniques are deleted with it, and no longer count as coverage. This cannot be
                undone.
              </ConfirmButton>
            </>
          )
        }
      />
      <Modal opened={isEdited} onClose={() => setIsEdited(false)} title="Edit defense" size="lg">
        <DefenseForm
          defense={defense}
          type={defense.type}
          nodes={(relationships ?? []).map(({ technique }) => nodeIdOf(technique))}
          onCancel={() => setIsEdited(false)}
          onDone={() => setIsEdited(false)}
        />
      </Modal>
    </>
  )
}

function DefenseFacts({ defense }: { readonly defense: Defense }) {
  const users = useNames('users')
  const { byDefense } = useStatuses()
  const status = byDefense?.get(defense.id)
  const platforms = defense.mitre_platforms ?? []
  const url = addressOf(defense.external_references)
  return (
    <Stack gap="md">
      <Facts
        columns={4}
        facts={[
          ['Status and score', byDefense && <StatusInputs key="status" defense={defense} status={status} />],
          ['Owner', status?.owner ? nameOf(users, status.owner) : '–'],
          ['Review', <ReviewDay key="review" at={status?.review_at ?? null} />],
          ['Domains', <Domains key="domains" defense={defense} />],
          ...(platforms.length > 0 ? [['Platforms', platforms.join(', ')] as const] : []),
          ...(url
            ? [
                [
                  'Source',
                  <Anchor key="source" inherit href={url} target="_blank" rel="noopener noreferrer">
                    {new URL(url).hostname} ↗
                  </Anchor>,
                ] as const,
              ]
            : []),
        ]}
      />
      {status && status.note !== '' && (
        <Text size="sm" component="div">
          <PlainText text={status.note} />
        </Text>
      )}
    </Stack>
  )
}

/** What to adapt to one's own environment. */
const Mutable = ({ defense: { mutable_elements } }: { readonly defense: Defense }) => (
  <Stack gap={6}>
    <Text size="sm" fw={600}>
      Adapt to your environment
    </Text>
    {mutable_elements?.map(({ field, description }) => (
      <Group key={field} gap={8} align="baseline" wrap="nowrap">
        <Text size="sm" className="code" flex="none">
          {field}
        </Text>
        <Text size="sm" c="dimmed">
          <PlainText text={description} />
        </Text>
      </Group>
    ))}
  </Stack>
)
