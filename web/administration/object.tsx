import { useParams } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { TaskPage } from '../background/task-list.tsx'
import { WebhookPage } from '../changes/webhook-page.tsx'
import type { CollectionModel } from '../generic/collections.ts'
import { NewPage } from '../generic/new-page.tsx'
import { ObjectPage as GenericObject } from '../generic/object-page.tsx'
import { useApi, useMayDo } from '../generic/use-api.ts'
import { NewUser } from '../identity/users/new-user.tsx'
import { UserPage } from '../identity/users/user-page.tsx'
import { Configuration } from '../settings/configuration.tsx'
import { ErrorFaults } from '../ui/faults.tsx'
import { NoPermission } from '../ui/no-permission.tsx'
import { UnknownCollection, WaitingPage } from './collection.tsx'

type OneProps = { readonly model: CollectionModel; readonly id: string }

/** Collections with their own object page. */
const SPECIAL: Readonly<Record<string, ComponentType<OneProps>>> = {
  tasks: TaskPage,
  users: UserPage,
  webhooks: WebhookPage,
}

/** One object of a collection, the form for a new one, or a section of the configuration. */
export function ObjectPage() {
  const { collection = '', id = '' } = useParams({ strict: false })
  if (collection === 'configuration') return <Configuration section={id} />
  return <KnownObject key={`${collection}/${id}`} slug={collection} id={id} />
}

function KnownObject({ slug, id }: { readonly slug: string; readonly id: string }) {
  const { collections, error, isPending } = useApi()
  const mayDo = useMayDo()
  if (error) return <ErrorFaults error={error} />
  if (isPending) return <WaitingPage />
  const model = collections.get(slug)
  if (!model) return <UnknownCollection slug={slug} />
  if (id === 'new') return <New model={model} />
  if (!mayDo(model.verbs.get)) return <NoPermission permission={model.verbs.get?.permission ?? ''} />
  const Special = SPECIAL[slug] ?? GenericObject
  return <Special model={model} id={id} />
}

function New({ model }: { readonly model: CollectionModel }) {
  const mayDo = useMayDo()
  if (!model.verbs.create) return <UnknownCollection slug={`new ${model.slug}`} />
  if (!mayDo(model.verbs.create)) return <NoPermission permission={model.verbs.create?.permission ?? ''} />
  return model.slug === 'users' ? <NewUser model={model} /> : <NewPage model={model} />
}
