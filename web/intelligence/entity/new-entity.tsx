import { Card, Group, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { schemasQuery } from '../../api/document.ts'
import type { Entity } from '../../api/resources.ts'
import type { Schemas } from '../../api/schema.ts'
import { useMay } from '../../api/session.ts'
import { entityTitle } from '../../domain/entity-title.ts'
import { entityTypeName } from '../../domain/entity-types.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorFaults } from '../../ui/faults.tsx'
import { inSentence } from '../../ui/in-sentence.ts'
import { PageHead } from '../../ui/page-head.tsx'
import { showErrorToast, showToast } from '../../ui/toasts.tsx'
import { EntityIcon } from '../entity-icon.tsx'
import { copyOf, createBody, type EntityDraft, newDraft } from './entity-draft.ts'
import { EntityForm } from './entity-form.tsx'
import { entityQuery, invalidateEntities } from './entity-queries.ts'
import { type EntityKind, entityKinds } from './entity-schema.ts'
import { relate } from './relate.ts'

/** Creates an entity of a type, or a copy of an existing one. */
export function NewEntity() {
  const may = useMay()
  const { type, from } = useSearch({ strict: false }) as { type?: string; from?: string }
  const schemas = useQuery(schemasQuery)
  const copied = useQuery({ ...entityQuery(from ?? ''), enabled: from !== undefined })
  if (!may('modify entities'))
    return (
      <EmptyState title="You do not have permission to create entities">
        Ask an administrator for the permission “modify entities”.
      </EmptyState>
    )
  const error = schemas.error ?? copied.error
  if (error) return <ErrorFaults error={error} />
  if (!schemas.data || (from !== undefined && !copied.data)) return <Skeleton height={400} />
  if (copied.data) return <CopiedForm schemas={schemas.data} entity={copied.data} />
  const kinds = entityKinds(schemas.data)
  const kind = kinds.find(({ type: own, customType }) => (customType ?? own) === type)
  return kind ? <FreshForm key={type} schemas={schemas.data} kind={kind} /> : <KindMenu kinds={kinds} />
}

const nameOf = ({ type, customType, name }: EntityKind): string => name ?? entityTypeName(customType ?? type)

function KindMenu({ kinds }: { readonly kinds: readonly EntityKind[] }) {
  return (
    <>
      <PageHead title="New entity" description="Select the type of entity to create." />
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3, xl: 4 }} spacing="sm">
        {kinds.map((kind) => (
          <Card
            key={kind.customType ?? kind.type}
            renderRoot={(props) => (
              <Link to="/entities/new" search={{ type: kind.customType ?? kind.type }} {...props} />
            )}
            withBorder
            padding="sm"
          >
            <Group wrap="nowrap">
              <EntityIcon type={kind.customType ?? kind.type} size={24} isDecoration />
              <Stack gap={0}>
                <Text fw={500}>{nameOf(kind)}</Text>
                {kind.description && (
                  <Text size="xs" c="dimmed" lineClamp={2}>
                    {kind.description}
                  </Text>
                )}
              </Stack>
            </Group>
          </Card>
        ))}
      </SimpleGrid>
    </>
  )
}

function FreshForm({ schemas, kind }: { readonly schemas: Schemas; readonly kind: EntityKind }) {
  const [initial] = useState(() => newDraft(kind))
  return (
    <Making
      schemas={schemas}
      initial={initial}
      title={`New ${inSentence(nameOf(kind))}`}
      icon={kind.customType ?? kind.type}
    />
  )
}

function CopiedForm({ schemas, entity }: { readonly schemas: Schemas; readonly entity: Entity }) {
  const [initial] = useState(() => copyOf(entity))
  const title = `Copy of “${entityTitle(entity)}”`
  return (
    <Making schemas={schemas} initial={initial} title={title} icon={entity.data.type} shared={entity.observables} />
  )
}

interface MakingProps {
  readonly schemas: Schemas
  readonly initial: EntityDraft
  readonly title: string
  readonly icon: string
  /** Observables that a copy starts with. */
  readonly shared?: readonly string[]
}

function Making({ schemas, initial, title, icon, shared = [] }: MakingProps) {
  const navigate = useNavigate()
  const send = async (draft: EntityDraft): Promise<string> => {
    const { data } = await call<{ data: Entity }>('POST', 'entities', createBody(draft, shared))
    // The entity exists by now, and saving the form again would create another.
    await relate(data, draft).catch(showErrorToast)
    return data.id
  }
  return (
    <>
      <PageHead title={title} before={<EntityIcon type={icon} size={26} isDecoration />} />
      <EntityForm
        schemas={schemas}
        initial={initial}
        label="Create entity"
        observablesBefore={shared.length}
        send={send}
        onSaved={(id) => {
          void invalidateEntities()
          showToast('Entity created')
          void navigate({ to: '/entities/$id', params: { id } })
        }}
        onCancel={() => void navigate({ to: '/' })}
      />
    </>
  )
}
