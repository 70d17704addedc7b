import { ActionIcon, Box, Button, Menu, Skeleton, Tooltip } from '@mantine/core'
import { useFullscreenElement } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../api/call.ts'
import { invalidate } from '../api/invalidate.ts'
import { idOf, listQuery, oneQuery } from '../api/lists.ts'
import type { Dashboard, Widget } from '../api/resources.ts'
import { useMay } from '../api/session.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorFaults } from '../ui/faults.tsx'
import { Icon } from '../ui/icon.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { showErrorToast, showToast } from '../ui/toasts.tsx'
import { useUrlState } from '../ui/use-url-state.ts'
import { DashboardForm } from './dashboard-form.tsx'
import { Grid } from './grid.tsx'
import { type Layout, readLayout } from './layout.ts'
import { WidgetCard } from './widget-card.tsx'
import { WidgetForm } from './widget-form.tsx'

/** One dashboard with its widgets. */
export function DashboardPage() {
  const { id } = useParams({ strict: false }) as { id: string }
  const dashboard = useQuery(oneQuery<Dashboard>(`dashboards/${id}`))
  if (dashboard.error)
    return (
      <>
        <PageHead title="Dashboard" />
        <ErrorFaults error={dashboard.error} />
      </>
    )
  if (!dashboard.data) return <Skeleton h={300} role="status" aria-label="Loading" />
  return <Opened dashboard={dashboard.data} />
}

function Opened({ dashboard }: { readonly dashboard: Dashboard }) {
  const url = useUrlState()
  const queries = useQueryClient()
  const may = useMay()
  const { ref, toggle, fullscreen } = useFullscreenElement()
  const [open, setOpen] = useState<'new' | 'dashboard' | Widget | null>(null)
  const ids = dashboard.widgets.map(idOf)
  const widgets = useQuery({
    ...listQuery<Widget>('widgets', { 'filter[id]': ids, limit: 500 }),
    enabled: ids.length > 0,
  })
  const byId = new Map((widgets.data?.data ?? []).map((widget) => [String(widget.id), widget]))
  const canChange = may('modify configurations')
  const isArranged = canChange && url.get('arrange') !== ''
  const path = `dashboards/${dashboard.id}`
  const layout = readLayout(dashboard.ui_metadata.layout, ids)

  /** Shows a change immediately and reverts it if the server rejects it. */
  async function change(patch: Partial<Dashboard>): Promise<void> {
    const { queryKey } = oneQuery<Dashboard>(path)
    queries.setQueryData(queryKey, { ...dashboard, ...patch })
    await call('PATCH', path, { data: patch }).catch(showErrorToast)
    await invalidate(path)
  }

  const arrange = (next: Layout) => change({ ui_metadata: { ...dashboard.ui_metadata, layout: next } })

  async function remove(widget: Widget): Promise<void> {
    await call('DELETE', `widgets/${widget.id}`)
    await invalidate('dashboards', 'widgets')
    const { name, type, query, aggregation, settings } = widget
    showToast(`Widget “${name}” deleted`, async () => {
      const made = await call<{ data: Widget }>('POST', 'widgets', {
        data: { name, type, query, aggregation, settings },
      })
      const position = layout[String(widget.id)]
      const positions = { ...layout, ...(position && { [String(made.data.id)]: position }) }
      const rest = dashboard.widgets.filter((each) => idOf(each) !== String(widget.id))
      const back = { widgets: [...rest, made.data.id], ui_metadata: { ...dashboard.ui_metadata, layout: positions } }
      await call('PATCH', path, { data: back })
      await invalidate('dashboards', 'widgets')
    })
  }

  const added = async ({ id }: Widget) => {
    const before = dashboard.widgets.map(idOf)
    if (!before.includes(String(id))) await call('PATCH', path, { data: { widgets: [...before, id] } })
    await invalidate('dashboards', 'widgets')
  }

  return (
    <Box ref={ref} bg="var(--corvus-ground)" p={fullscreen ? 'lg' : 0} style={{ overflow: 'auto' }}>
      <PageHead
        title={dashboard.name}
        description={dashboard.description}
        actions={
          <>
            <Tool label="Refresh" icon="refresh" onClick={() => void invalidate('widgets')} />
            <Tool label={fullscreen ? 'Exit full screen' : 'Full screen'} icon="expand" onClick={() => void toggle()} />
            {canChange && ids.length > 0 && (
              <Button
                variant="default"
                aria-pressed={isArranged}
                onClick={() => url.set({ arrange: isArranged ? null : 'true' }, true)}
              >
                {isArranged ? 'Finish layout' : 'Edit layout'}
              </Button>
            )}
            {canChange && <Button onClick={() => setOpen('new')}>Add widget</Button>}
            {canChange && <More dashboard={dashboard} onEdit={() => setOpen('dashboard')} />}
          </>
        }
      />
      <ErrorFaults error={widgets.error} />
      {ids.length === 0 && (
        <EmptyState
          title="This dashboard is empty"
          action={canChange && <Button onClick={() => setOpen('new')}>Add widget</Button>}
        >
          A widget shows the number, a chart or a list of the entities that match a query, such as this week's
          indicators by type.
        </EmptyState>
      )}
      <Grid
        layout={layout}
        isArranged={isArranged}
        onChange={(next) => void arrange(next)}
        nameOf={(id) => byId.get(id)?.name ?? 'Widget'}
      >
        {(id) => {
          const widget = byId.get(id)
          if (!widget) return <Skeleton h="100%" role="status" aria-label="Loading" />
          return (
            <WidgetCard
              widget={widget}
              isArranged={isArranged}
              onEdit={canChange ? () => setOpen(widget) : undefined}
              onRemove={canChange ? () => void remove(widget).catch(showErrorToast) : undefined}
            />
          )
        }}
      </Grid>
      {open === 'new' && <WidgetForm onClose={() => setOpen(null)} onSaved={added} />}
      {open !== null && typeof open === 'object' && (
        <WidgetForm widget={open} onClose={() => setOpen(null)} onSaved={() => invalidate('widgets')} />
      )}
      {open === 'dashboard' && (
        <DashboardForm
          dashboard={dashboard}
          onClose={() => setOpen(null)}
          onSaved={() => {
            setOpen(null)
            void invalidate('dashboards')
          }}
        />
      )}
    </Box>
  )
}

interface ToolProps {
  readonly label: string
  readonly icon: 'refresh' | 'expand'
  readonly onClick: () => void
}

const Tool = ({ label, icon, onClick }: ToolProps) => (
  <Tooltip label={label}>
    <ActionIcon variant="default" size={32} aria-label={label} onClick={onClick}>
      <Icon name={icon} />
    </ActionIcon>
  </Tooltip>
)

function More({ dashboard, onEdit }: { readonly dashboard: Dashboard; readonly onEdit: () => void }) {
  const navigate = useNavigate()
  async function remove(): Promise<void> {
    const {
      id,
      name,
      description,
      widgets,
      collaborators,
      groups,
      is_pinned,
      is_protected,
      is_shared_with_all,
      ui_metadata,
    } = dashboard
    await call('DELETE', `dashboards/${id}`)
    await navigate({ to: '/dashboards' })
    await invalidate('dashboards')
    showToast(`Dashboard “${name}” deleted. Its widgets are kept.`, async () => {
      const data = {
        name,
        description,
        widgets,
        collaborators,
        groups,
        is_pinned,
        is_protected,
        is_shared_with_all,
        ui_metadata,
      }
      await call('POST', 'dashboards', { data })
      await invalidate('dashboards')
    })
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={32} aria-label="Dashboard actions">
          <Icon name="edit" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={onEdit}>Edit name and sharing</Menu.Item>
        <Menu.Item color="red" onClick={() => void remove().catch(showErrorToast)}>
          Delete dashboard
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
