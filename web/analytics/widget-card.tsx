import { ActionIcon, Box, Group, Menu, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Widget } from '../api/resources.ts'
import { Icon } from '../ui/icon.tsx'
import { PageLink } from '../ui/page-link.tsx'
import { widgetDataQuery } from './widget-queries.ts'
import { WidgetView } from './widget-view.tsx'

interface WidgetCardProps {
  readonly widget: Widget
  readonly isArranged: boolean
  /** Actions; absent without the permission to change the dashboard. */
  readonly onEdit: (() => void) | undefined
  readonly onRemove: (() => void) | undefined
}

/** A widget on its dashboard, with its name, content and actions. */
export function WidgetCard({ widget, isArranged, onEdit, onRemove }: WidgetCardProps) {
  const data = useQuery(widgetDataQuery(widget.id))
  return (
    <>
      <Group justify="space-between" wrap="nowrap" gap={4} mb={4} pl={isArranged ? 26 : 0}>
        <Text size="sm" fw={600} truncate title={widget.name}>
          {widget.name}
        </Text>
        <Group gap={4} wrap="nowrap">
          {widget.query && (
            <PageLink to="/" search={{ q: widget.query }} size="xs" aria-label={`Open in search: ${widget.name}`}>
              Open in search
            </PageLink>
          )}
          {onEdit && onRemove && (
            <Menu position="bottom-end">
              <Menu.Target>
                <ActionIcon size="sm" variant="subtle" color="gray" aria-label={`Actions for ${widget.name}`}>
                  <Icon name="edit" size={14} />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item onClick={onEdit}>Edit widget</Menu.Item>
                <Menu.Item color="red" onClick={onRemove}>
                  Delete widget
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
          )}
        </Group>
      </Group>
      <Box flex={1} mih={0}>
        <WidgetView type={widget.type} field={widget.aggregation?.group_by} data={data} />
      </Box>
    </>
  )
}
