import { ActionIcon, Button, Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { idOf } from '../../api/lists.ts'
import { useMay } from '../../api/session.ts'
import { entityTitle } from '../../domain/entity-title.ts'
import type { TabProps } from '../entity/entity.tsx'
import { ShowInGraph } from '../entity/show-in-graph.tsx'
import { compareAddress } from './comparison.ts'
import { contributionsQuery } from './contributions.ts'
import { TakeApart } from './take-apart.tsx'

/** What can be done with a unified entity, which cannot be edited itself. */
export function UnifiedActions({ entity }: TabProps) {
  const { id } = entity
  const mayChange = useMay()('modify entities')
  const [isAsked, setIsAsked] = useState(false)
  const { data } = useQuery(contributionsQuery(id))
  const first = data?.contributors[0]
  return (
    <>
      <ShowInGraph id={id} isCollapsed />
      {mayChange && (
        <Button
          renderRoot={(props) => (
            <Link to="/entities/$id" params={{ id }} search={{ tab: 'contributors' }} {...props} />
          )}
        >
          Change its contributors
        </Button>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label="More actions">
            ⋯
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item renderRoot={(props) => <Link {...compareAddress([id])} {...props} />}>
            Compare contributors
          </Menu.Item>
          {mayChange && (
            <Menu.Item color="red" onClick={() => setIsAsked(true)}>
              Take apart…
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {isAsked && (
        <TakeApart
          unified={{ id, title: entityTitle(entity) }}
          next={first && idOf(first.entity)}
          onClose={() => setIsAsked(false)}
        />
      )}
    </>
  )
}
