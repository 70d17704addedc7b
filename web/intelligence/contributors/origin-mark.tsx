import { ActionIcon, Tooltip } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Entity } from '../../api/resources.ts'
import { Icon } from '../../ui/icon.tsx'
import { isUnified } from '../entity/entity-queries.ts'
import { contributionsQuery, originInWords } from './contributions.ts'

/** Draws the mark of a field of a unified entity; undefined for a field whose origin is not known. */
export type OriginMarks = (path: string) => ReactNode

/** Small marks next to the fields of a unified entity, which say where a value comes from. */
export function useOriginMarks(entity: Pick<Entity, 'id' | 'meta'>): OriginMarks {
  const { data } = useQuery({ ...contributionsQuery(entity.id), enabled: isUnified(entity) })
  const origins = new Map((data?.fields ?? []).map((origin) => [origin.field, origin]))
  return (path) => {
    const origin = origins.get(path)
    return origin && data && <OriginMark text={originInWords(origin, data.contributors)} />
  }
}

const OriginMark = ({ text }: { readonly text: string }) => (
  <Tooltip label={text} multiline maw={320} events={{ hover: true, focus: true, touch: true }}>
    <ActionIcon variant="transparent" color="gray" size={16} aria-label={text} style={{ cursor: 'help' }}>
      <Icon name="unified" size={12} />
    </ActionIcon>
  </Tooltip>
)
