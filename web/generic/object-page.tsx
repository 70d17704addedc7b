import { Anchor, Button, Paper, Skeleton, Stack, Tabs } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { call } from '../api/call.ts'
import { oneQuery } from '../api/lists.ts'
import { ErrorFaults } from '../ui/faults.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { showToast } from '../ui/toasts.tsx'
import { BelowList, HistoryList } from './below-list.tsx'
import { DeleteObjects } from './bulk-delete.tsx'
import type { CollectionModel } from './collections.ts'
import { FieldsForm } from './fields-form.tsx'
import type { Row } from './list-table.tsx'
import { shortId } from './names.ts'
import { ObjectActions } from './object-actions.tsx'
import { ObjectDetail } from './object-detail.tsx'
import { nameOf } from './references.ts'
import { useApi, useMayDo } from './use-api.ts'

interface ObjectPageProps {
  readonly model: CollectionModel
  readonly id: string
  /** Buttons that replace those for the actions of the API. */
  readonly actions?: (object: Row) => ReactNode
  /** Buttons for each row of a nested list, by the name of that list. */
  readonly rowActions?: Readonly<Record<string, (row: Row) => ReactNode>>
  readonly badges?: (object: Row) => ReactNode
}

/** The page of an object of any collection, with its form and nested lists. */
export function ObjectPage({ model, id, actions, rowActions, badges }: ObjectPageProps) {
  const object = useQuery(oneQuery<Row>(`${model.path}/${id}`))
  const search = useSearch({ strict: false }) as Readonly<Record<string, unknown>>
  const navigate = useNavigate()
  const mayDo = useMayDo()
  const page = `/admin/${model.slug}/${id}`
  if (object.error) return <ErrorFaults error={object.error} />
  if (!object.data) return <Waiting />
  const name = nameOf(object.data) ?? `${model.title} ${shortId(id)}`
  const isEditing = search.edit === true && mayDo(model.verbs.update)
  const buttons = isEditing ? null : (
    <>
      {actions ? actions(object.data) : <ObjectActions actions={model.actions} id={id} touched={model.path} />}
      {mayDo(model.verbs.delete) && (
        <DeleteObjects
          model={model}
          ids={[id]}
          name={name}
          onDone={() => void navigate({ to: `/admin/${model.slug}` })}
        />
      )}
      {mayDo(model.verbs.update) && (
        <Button size="xs" onClick={() => void navigate({ to: page, search: { edit: true } })}>
          Edit
        </Button>
      )}
    </>
  )
  return (
    <>
      <PageHead
        title={isEditing ? `Edit ${name}` : name}
        after={badges?.(object.data)}
        description={
          <Anchor component={Link} to={`/admin/${model.slug}`} inherit>
            {model.label}
          </Anchor>
        }
        actions={buttons}
      />
      {isEditing ? (
        <EditForm model={model} object={object.data} onClose={() => void navigate({ to: page, search: {} })} />
      ) : (
        <ObjectTabs model={model} object={object.data} {...(rowActions && { rowActions })} />
      )}
    </>
  )
}

const Waiting = () => (
  <Stack gap="sm" aria-busy="true" role="status" aria-label="Loading">
    <Skeleton height={28} width={280} />
    {[1, 2, 3, 4, 5, 6].map((line) => (
      <Skeleton key={line} height={18} maw={720} />
    ))}
  </Stack>
)

interface EditFormProps {
  readonly model: CollectionModel
  readonly object: Row
  readonly onClose: () => void
}

function EditForm({ model, object, onClose }: EditFormProps) {
  const queries = useQueryClient()
  const fields = model.inputs.filter(({ name }) => model.changeable.has(name))
  const patch = (data: Readonly<Record<string, unknown>>) =>
    call<{ data: Row }>('PATCH', `${model.path}/${object.id}`, { data })
  const invalidate = () =>
    Promise.all(
      [model.path, `${model.path}/${object.id}`].map((path) => queries.invalidateQueries({ queryKey: [path] })),
    )
  return (
    <Paper withBorder p="lg" maw={760}>
      <FieldsForm
        fields={fields}
        stored={object}
        submit="Save changes"
        send={patch}
        onDone={(_, data) => {
          const before = Object.fromEntries(Object.keys(data).map((name) => [name, object[name] ?? null]))
          const isWhole = fields.every(({ name, kind }) => kind !== 'secret' || !(name in data))
          showToast('Changes saved', isWhole ? async () => void (await patch(before).then(invalidate)) : undefined)
          void invalidate()
          onClose()
        }}
        onCancel={onClose}
      />
    </Paper>
  )
}

type TabsProps = Pick<ObjectPageProps, 'model' | 'rowActions'> & { readonly object: Row }

function ObjectTabs({ model, object, rowActions }: TabsProps) {
  const { collections } = useApi()
  const search = useSearch({ strict: false }) as Readonly<Record<string, unknown>>
  const navigate = useNavigate()
  const mayDo = useMayDo()
  const below = model.below.filter(mayDo)
  const history = collections.get('history-events')
  const hasHistory = history && mayDo(history.verbs.list) && model.verbs.update
  if (below.length === 0 && !hasHistory) return <ObjectDetail shown={model.shown} object={object} />
  const tabs = ['overview', ...below.map(({ slug }) => slug), ...(hasHistory ? ['history-events'] : [])]
  const tab = tabs.includes(String(search.tab)) ? String(search.tab) : 'overview'
  const id = String(object.id)
  return (
    <Tabs
      value={tab}
      onChange={(next) =>
        void navigate({ to: `/admin/${model.slug}/${id}`, search: next === 'overview' ? {} : { tab: next } })
      }
      keepMounted={false}
    >
      <Tabs.List mb="md">
        <Tabs.Tab value="overview">Overview</Tabs.Tab>
        {below.map(({ slug, label }) => (
          <Tabs.Tab key={slug} value={slug}>
            {label}
          </Tabs.Tab>
        ))}
        {hasHistory && <Tabs.Tab value="history-events">History</Tabs.Tab>}
      </Tabs.List>
      <Tabs.Panel value="overview">
        <ObjectDetail shown={model.shown} object={object} />
      </Tabs.Panel>
      {below.map((each) => (
        <Tabs.Panel key={each.slug} value={each.slug}>
          <BelowList below={each} id={id} actions={rowActions?.[each.slug]} />
        </Tabs.Panel>
      ))}
      {hasHistory && (
        <Tabs.Panel value="history-events">
          <HistoryList model={model} history={history} id={id} />
        </Tabs.Panel>
      )}
    </Tabs>
  )
}
