import { Badge, Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../api/call.ts'
import { useMay } from '../api/session.ts'
import type { CollectionModel } from '../generic/collections.ts'
import type { Row } from '../generic/list-table.tsx'
import { ObjectPage } from '../generic/object-page.tsx'
import { showErrorToast, showToast } from '../ui/toasts.tsx'

interface Outcome {
  readonly is_delivered: boolean
  readonly status: number | null
  readonly reason: string | null
}

/** A webhook with its deliveries, each of which can be repeated. */
export function WebhookPage({ model, id }: { readonly model: CollectionModel; readonly id: string }) {
  return (
    <ObjectPage
      model={model}
      id={id}
      badges={(webhook) => <WebhookBadge webhook={webhook} />}
      rowActions={{ deliveries: (delivery) => <Redeliver webhook={id} delivery={delivery} /> }}
    />
  )
}

function WebhookBadge({ webhook }: { readonly webhook: Row }) {
  if (webhook.suspended_at)
    return (
      <Badge radius="xs" color="red" variant="light">
        Suspended
      </Badge>
    )
  if (webhook.is_active === false)
    return (
      <Badge radius="xs" color="gray" variant="light">
        Inactive
      </Badge>
    )
  return webhook.failing_since ? (
    <Badge radius="xs" color="orange" variant="light">
      Failing
    </Badge>
  ) : null
}

function Redeliver({ webhook, delivery }: { readonly webhook: string; readonly delivery: Row }) {
  const may = useMay()
  const queries = useQueryClient()
  const send = async () => {
    const path = `webhooks/${webhook}/deliveries`
    const { data } = await call<{ data: Outcome }>('POST', `${path}/${delivery.id}/redeliver`)
    const status = data.status === null ? '' : ` (${data.status})`
    showToast(data.is_delivered ? `Delivered${status}` : `Delivery failed${status}: ${data.reason ?? 'no response'}`)
    await queries.invalidateQueries({ queryKey: [path] })
  }
  if (!may('modify webhooks')) return null
  return (
    <Button size="compact-xs" variant="subtle" onClick={() => void send().catch(showErrorToast)}>
      Redeliver
    </Button>
  )
}
