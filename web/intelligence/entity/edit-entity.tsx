import { Alert, Button, Group, List, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { call } from '../../api/call.ts'
import { schemasQuery } from '../../api/document.ts'
import { queries } from '../../api/queries.ts'
import type { Entity } from '../../api/resources.ts'
import type { Schemas } from '../../api/schema.ts'
import { useMay } from '../../api/session.ts'
import { entityTitle } from '../../domain/entity-title.ts'
import { labelOf } from '../../forms/labels.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorFaults } from '../../ui/faults.tsx'
import { Moment } from '../../ui/moment.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { showErrorToast, showToast } from '../../ui/toasts.tsx'
import { EntityIcon } from '../entity-icon.tsx'
import { differences } from './differences.ts'
import { draftOf, type EntityDraft, patchBody } from './entity-draft.ts'
import { EntityForm } from './entity-form.tsx'
import { entityQuery, invalidateEntities, isUnified, typeOf } from './entity-queries.ts'
import { relate } from './relate.ts'

/** The page for editing an entity. */
export function EditEntity() {
  const may = useMay()
  const { id = '' } = useParams({ strict: false })
  const schemas = useQuery(schemasQuery)
  const entity = useQuery({ ...entityQuery(id), staleTime: 0 })
  if (!may('modify entities'))
    return (
      <EmptyState title="You do not have permission to edit entities">
        Ask an administrator for the permission “modify entities”.
      </EmptyState>
    )
  const error = schemas.error ?? (entity.data ? null : entity.error)
  if (error) return <ErrorFaults error={error} />
  // The form starts from the stored entity, not from a cached copy that may be outdated.
  if (!schemas.data || !entity.data || !entity.isFetchedAfterMount) return <Skeleton height={400} />
  if (isUnified(entity.data)) return <UnifiedNote entity={entity.data} />
  return <Changing key={id} schemas={schemas.data} entity={entity.data} />
}

const UnifiedNote = ({ entity }: { readonly entity: Entity }) => (
  <EmptyState
    title="Unified entities cannot be edited"
    action={
      <Link to="/entities/$id" params={{ id: entity.id }} search={{ tab: 'contributors' }}>
        Show its contributors
      </Link>
    }
  >
    “{entityTitle(entity)}” is composed from several entities. Change the contributor that a value comes from instead.
  </EmptyState>
)

/** Another user has changed the entity since the form was opened. */
class ChangedMeanwhile extends Error {
  readonly latest: Entity

  constructor(latest: Entity) {
    super('The entity was changed in the meantime.')
    this.latest = latest
  }
}

function Changing({ schemas, entity }: { readonly schemas: Schemas; readonly entity: Entity }) {
  const navigate = useNavigate()
  const [initial, setInitial] = useState(() => draftOf(entity))
  // The version the form started from, or the one that the user has accepted since.
  const known = useRef(entity)
  const { id } = entity
  const leave = () => void navigate({ to: '/entities/$id', params: { id } })
  const send = async (draft: EntityDraft): Promise<string> => {
    const latest = await queries.fetchQuery({ ...entityQuery(id), staleTime: 0 })
    if (latest.last_updated_at !== known.current.last_updated_at) throw new ChangedMeanwhile(latest)
    const body = patchBody(initial, draft, latest.observables)
    if (body) await call('PATCH', `entities/${id}`, body)
    // The changes are saved by now, so that saving the form again would report a conflict.
    await relate(latest, draft).catch(showErrorToast)
    return id
  }
  return (
    <>
      <PageHead
        title={`Edit “${entityTitle(entity)}”`}
        before={<EntityIcon type={typeOf(entity)} size={26} isDecoration />}
      />
      <EntityForm
        schemas={schemas}
        initial={initial}
        label="Save changes"
        observablesBefore={entity.observables.length}
        own={id}
        send={send}
        onSaved={() => {
          void invalidateEntities()
          showToast('Changes saved')
          leave()
        }}
        onCancel={leave}
        explain={(error, form) =>
          error instanceof ChangedMeanwhile ? (
            <Conflict
              before={known.current}
              latest={error.latest}
              onSave={() => {
                known.current = error.latest
                form.again()
              }}
              onDiscard={() => {
                known.current = error.latest
                setInitial(draftOf(error.latest))
                form.restart(draftOf(error.latest))
              }}
            />
          ) : null
        }
      />
    </>
  )
}

interface ConflictProps {
  readonly before: Entity
  readonly latest: Entity
  readonly onSave: () => void
  readonly onDiscard: () => void
}

function Conflict({ before, latest, onSave, onDiscard }: ConflictProps) {
  const changed = [...new Set(differences(before, latest).map(({ path }) => path.replace(/^(data|meta)\./, '')))]
  return (
    <Alert color="yellow" title="Another user changed this entity" role="alert">
      <Text size="sm">
        It was saved at <Moment at={latest.last_updated_at} /> UTC, after you opened it. Your input is kept. If you save
        now, your changes are applied on top of theirs; for fields changed by both, your values are used.
      </Text>
      {changed.length > 0 && (
        <List size="sm" mt="xs">
          {changed.map((path) => (
            <List.Item key={path}>{labelOf(path)}</List.Item>
          ))}
        </List>
      )}
      <Group mt="sm">
        <Button size="compact-sm" onClick={onSave}>
          Save my changes
        </Button>
        <Button size="compact-sm" variant="default" onClick={onDiscard}>
          Discard my changes
        </Button>
      </Group>
    </Alert>
  )
}
