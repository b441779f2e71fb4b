import { constants, crc32, deflateRawSync } from 'node:zlib'

/** A member of a zip as bytes, so that each field may lie. */
export interface RawMember {
  name: string
  data: Buffer
  /** 8: deflate, 0: stored. */
  method?: number
  size: number
  crc?: number
  /** Where the directory says that it begins; left out: where it does. */
  at?: number
}

/** A member that is what it says. */
export const member = (name: string, content: string | Buffer): RawMember => {
  const bytes = Buffer.from(content)
  return { name, data: deflateRawSync(bytes), size: bytes.length, crc: crc32(bytes) }
}

/**
 * A deflated member of `times` copies of a block, which is compressed once: gigabytes take no time to make. Its
 * CRC-32 is that of nothing.
 */
export function repeated(name: string, block: string | Buffer, times: number, size?: number): RawMember {
  const flushed = deflateRawSync(Buffer.from(block), { finishFlush: constants.Z_FULL_FLUSH })
  const data = Buffer.concat([...Array<Buffer>(times).fill(flushed), Buffer.from([3, 0])])
  return { name, data, size: size ?? block.length * times }
}

/** A zip of the members. `directory` false leaves out what tells where they are. */
export function rawZip(
  members: readonly RawMember[],
  { directory = true, count = members.length } = {},
): Buffer {
  const local: Buffer[] = []
  const central: Buffer[] = []
  let offset = 0
  for (const { name, data, method = 8, size, crc = 0, at = offset } of members) {
    const title = Buffer.from(name)
    const header = Buffer.alloc(26)
    header.writeUInt16LE(20, 0)
    header.writeUInt16LE(0x0800, 2)
    header.writeUInt16LE(method, 4)
    header.writeUInt32LE(crc, 10)
    header.writeUInt32LE(data.length, 14)
    header.writeUInt32LE(size, 18)
    header.writeUInt16LE(title.length, 22)
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(at, 10)
    local.push(Buffer.from('PK\x03\x04'), header, title, data)
    central.push(Buffer.from('PK\x01\x02'), Buffer.from([20, 0]), header, tail, title)
    offset += 30 + title.length + data.length
  }
  const list = Buffer.concat(central)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(count & 0xffff, 8)
  end.writeUInt16LE(count & 0xffff, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...local, ...(directory ? [list, end] : [])])
}

/** A workbook of one sheet with the given XML inside `<worksheet>`. */
export const workbook = (sheet: string): Buffer => {
  const head = '<?xml version="1.0" encoding="UTF-8"?>'
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const packaging = 'http://schemas.openxmlformats.org/package/2006'
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
  return rawZip([
    member(
      '[Content_Types].xml',
      `${head}<Types xmlns="${packaging}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${type}.worksheet+xml"/></Types>`,
    ),
    member(
      '_rels/.rels',
      `${head}<Relationships xmlns="${packaging}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ),
    member(
      'xl/workbook.xml',
      `${head}<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="2024" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ),
    member(
      'xl/_rels/workbook.xml.rels',
      `${head}<Relationships xmlns="${packaging}/relationships"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    ),
    member('xl/worksheets/sheet1.xml', `${head}<worksheet xmlns="${main}">${sheet}</worksheet>`),
  ])
}
