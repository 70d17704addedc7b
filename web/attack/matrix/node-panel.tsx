import { ActionIcon, Anchor, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { oneQuery, type Parameters } from '../../api/lists.ts'
import { Icon } from '../../ui/icon.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import { RichText } from '../../ui/rich-text.tsx'
import { AnnotationCell } from '../analyses/annotation-cell.tsx'
import { useAnnotations } from '../analyses/use-annotations.ts'
import { type Gap, percent } from '../gaps/gap.ts'
import { addressOf, type ExternalReference } from './external-address.ts'
import type { Place } from './matrix-tree.ts'
import { NodeDefenses } from './node-defenses.tsx'
import { NodeEntities } from './node-entities.tsx'

interface NodePanelProps {
  readonly place: Place
  /** The parameters of heat: which entities count. */
  readonly parameters: Parameters
  readonly gap: Gap | undefined
  /** The analysis whose annotation is shown. */
  readonly analysis: number | undefined
  readonly onClose: () => void
}

/** What is known about a technique: the evidence for its threat, and what defends against it. */
export function NodePanel({ place, parameters, gap, analysis, onClose }: NodePanelProps) {
  return (
    <Stack gap="md">
      <Group justify="space-between" align="flex-start" wrap="nowrap" gap="xs">
        <div>
          <Text size="xs" c="dimmed" className="code">
            {place.externalId}
          </Text>
          <Title order={2} size="h4">
            {place.name}
          </Title>
        </div>
        <ActionIcon variant="subtle" color="gray" aria-label="Close details" onClick={onClose}>
          <Icon name="close" />
        </ActionIcon>
      </Group>
      {gap && (
        <Text size="sm">
          Threat {percent(gap.threat)}, covered {percent(gap.share)}, gap {percent(gap.gap)}
        </Text>
      )}
      <Description key={place.id} id={place.id} />
      {analysis !== undefined && <Annotated analysis={analysis} id={place.id} />}
      <NodeEntities key={`entities of ${place.id}`} id={place.id} parameters={parameters} />
      <NodeDefenses id={place.id} />
    </Stack>
  )
}

interface DescribedNode {
  readonly description: string
  readonly external_references: readonly ExternalReference[]
}

function Description({ id }: { readonly id: string }) {
  const { data } = useQuery(oneQuery<DescribedNode>(`attacks/${id}`))
  if (!data) return <Skeleton h={40} />
  const address = addressOf(data.external_references)
  return (
    <Stack gap={4}>
      {data.description === '' ? (
        <Text size="sm" c="dimmed">
          The description comes with the official bundle.{' '}
          <PageLink to="/attack/frameworks" inherit>
            Load it
          </PageLink>
        </Text>
      ) : (
        <RichText text={data.description} />
      )}
      {address && (
        <Anchor href={address} target="_blank" rel="noopener noreferrer" size="sm">
          {new URL(address).hostname} ↗
        </Anchor>
      )}
    </Stack>
  )
}

function Annotated({ analysis, id }: { readonly analysis: number; readonly id: string }) {
  const { byNode } = useAnnotations(analysis)
  return (
    <Stack gap={6} component="section" aria-label="Annotation">
      <Title order={3} fz="sm">
        Annotation
      </Title>
      {byNode ? (
        <AnnotationCell key={id} analysis={analysis} node={id} annotation={byNode.get(id)} />
      ) : (
        <Skeleton h={24} />
      )}
    </Stack>
  )
}
