import { z } from 'zod'
import { propertyAffected } from './property-affected.ts'
import { recordOf } from './shape.ts'

/** The kinds of assets that an incident can affect. */
export const ASSET_TYPES = [
  'ATM',
  'Access reader',
  'Administrator',
  'Auditor',
  'Auth token',
  'Backup',
  'Broadband',
  'Call center',
  'Camera',
  'Cashier',
  'Customer',
  'DCS',
  'DHCP',
  'DNS',
  'Database',
  'Desktop',
  'Developer',
  'Directory',
  'Disk drive',
  'Disk media',
  'Documents',
  'End-user',
  'Executive',
  'File',
  'Finance',
  'Firewall',
  'Flash drive',
  'Former employee',
  'Gas terminal',
  'Guard',
  'HSM',
  'Helpdesk',
  'Human resources',
  'IDS',
  'Kiosk',
  'LAN',
  'Laptop',
  'Log',
  'Mail',
  'Mainframe',
  'Maintenance',
  'Manager',
  'Media',
  'Mobile phone',
  'Network',
  'PBX',
  'PED pad',
  'PLC',
  'POS controller',
  'POS terminal',
  'Partner',
  'Payment card',
  'Payment switch',
  'Peripheral',
  'Person',
  'Print',
  'Private WAN',
  'Proxy',
  'Public WAN',
  'RTU',
  'Remote access',
  'Router or switch',
  'SAN',
  'SCADA',
  'Server',
  'Smart card',
  'Tablet',
  'Tapes',
  'Telephone',
  'Unknown',
  'User Device',
  'VoIP adapter',
  'VoIP phone',
  'WLAN',
  'Web application',
] as const

/** Where an asset is. */
export const LOCATION_CLASSES = ['Co-Located', 'Externally-Located', 'Internally-Located', 'Mobile', 'Unknown'] as const

/** Who runs an asset. */
export const MANAGEMENT_CLASSES = ['Co-Management', 'Externally-Management', 'Internally-Managed', 'Unknown'] as const

/** Who owns an asset. */
export const OWNERSHIP_CLASSES = [
  'Customer-Owned',
  'Employee-Owned',
  'Internally-Owned',
  'Partner-Owned',
  'Unknown',
] as const

/** An asset that an incident affected. */
export const affectedAsset = recordOf(
  {
    asset_type: z.enum(ASSET_TYPES),
    description: z.string().min(1),
    location_class: z.enum(LOCATION_CLASSES),
    management_class: z.enum(MANAGEMENT_CLASSES),
    ownership_class: z.enum(OWNERSHIP_CLASSES),
  },
  {
    type: z.literal('affected-asset'),
    business_function_or_role: z.string(),
    nature_of_security_effect_properties_affected: z.array(propertyAffected),
  },
)
