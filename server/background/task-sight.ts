import { sql } from 'kysely'
import type { Condition } from '../engine/resource.ts'
import { resourceOf, visible } from '../engine/select.ts'

/**
 * Whether the caller sees the task at an alias. That of a discovery rule bears its name, and is for those who see the rule; users who manage
 * tasks see all of them.
 */
export const isTaskSeen: Condition = (ctx, t) => {
  if (ctx.caller.permissions.has('modify tasks')) return sql`true`
  return sql`(
    not (${sql.ref(`${t}.is_owned`)} and ${sql.ref(`${t}.type`)} = 'discovery-rule')
    or exists (
      select from discovery_rules as rule
      where rule.task = ${sql.ref(`${t}.id`)} and ${visible(ctx, resourceOf(ctx, 'discovery_rules'), 'rule')}))`
}

/** Whether the caller sees the task run at an alias: whether they see its task. */
export const isRunSeen: Condition = (ctx, t) =>
  ctx.caller.permissions.has('modify tasks')
    ? sql`true`
    : sql`exists (select from tasks as about where about.id = ${sql.ref(`${t}.task`)} and ${isTaskSeen(ctx, 'about')})`
