import { Badge, Text, Tooltip } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { idOf } from '../../api/lists.ts'
import { entityTitle } from '../../domain/entity-title.ts'
import { UnifiedBadge } from '../../ui/badges.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import type { TabProps } from '../entity/entity.tsx'
import { entityQuery, isUnified } from '../entity/entity-queries.ts'
import { contributionsQuery } from './contributions.ts'

/** The badges of an entity in the head of its page: whether it is unified, or exempt from consolidation. */
export function ConsolidationBadges({ entity }: TabProps) {
  const isOne = isUnified(entity)
  const { data } = useQuery({ ...contributionsQuery(entity.id), enabled: isOne })
  return (
    <>
      {isOne && <UnifiedBadge count={data?.contributors.length} />}
      {entity.meta.is_exempt_from_consolidation === true && (
        <Tooltip
          multiline
          maw={320}
          label="A user took this entity out of a unified entity, so that it is not joined automatically. To join it again, select it with others in the search and choose “Consolidate”."
        >
          <Badge variant="default" radius="xs" flex="none" tabIndex={0}>
            Exempt from consolidation
          </Badge>
        </Tooltip>
      )}
    </>
  )
}

/** A line with the unified entity that an entity contributes to, if the user sees it. */
export function ContributesTo({ entity }: TabProps) {
  const isOne = typeof entity.meta.is_contributor_to === 'string'
  const { data } = useQuery({ ...contributionsQuery(entity.id), enabled: isOne })
  const id = data?.unified ? idOf(data.unified) : ''
  const unified = useQuery({ ...entityQuery(id), enabled: isOne && id !== '' })
  if (!isOne || !unified.data) return null
  return (
    <Text component="span" size="sm" w="100%">
      Contributes to <PageLink to={`/entities/${id}`}>{entityTitle(unified.data)}</PageLink>
    </Text>
  )
}
