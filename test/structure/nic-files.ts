// Files as NIC's Data Download has them, of what a test says: dates twice, names padded, 0 where something does not apply.

const attributeHeadings =
  '#ID_RSSD,D_DT_START,D_DT_END,BHC_IND,BROAD_REG_CD,CHTR_AUTH_CD,CHTR_TYPE_CD,FBO_4C9_IND,FHC_IND,FUNC_REG,INSUR_PRI_CD,MBR_FHLBS_IND,MBR_FRS_IND,SEC_RPTG_STATUS,EST_TYPE_CD,BANK_CNT,BNK_TYPE_ANALYS_CD,D_DT_EXIST_CMNC,D_DT_EXIST_TERM,FISC_YREND_MMDD,D_DT_INSUR,D_DT_OPEN,FNCL_SUB_HOLDER,FNCL_SUB_IND,IBA_GRNDFTHR_IND,IBF_IND,ID_RSSD_HD_OFF,MJR_OWN_MNRTY,NM_LGL,NM_SHORT,NM_SRCH_CD,ORG_TYPE_CD,REASON_TERM_CD,CNSRVTR_CD,ENTITY_TYPE,AUTH_REG_DIST_FRS,ACT_PRIM_CD,CITY,CNTRY_NM,ID_CUSIP,STATE_ABBR_NM,PLACE_CD,STATE_CD,STATE_HOME_CD,STREET_LINE1,STREET_LINE2,ZIP_CD,ID_THRIFT,ID_THRIFT_HC,DOMESTIC_IND,ID_ABA_PRIM,ID_FDIC_CERT,ID_NCUA,COUNTY_CD,DIST_FRS,ID_OCC,CNTRY_CD,DT_END,DT_EXIST_CMNC,DT_EXIST_TERM,DT_INSUR,DT_OPEN,DT_START,ID_TAX,PROV_REGION,URL,SLHC_IND,SLHC_TYPE_IND,PRIM_FED_REG,STATE_INC_CD,CNTRY_INC_CD,STATE_INC_ABBR_NM,CNTRY_INC_NM,ID_LEI,IHC_IND'.split(
    ',',
  )
const relationshipHeadings =
  '#ID_RSSD_PARENT,ID_RSSD_OFFSPRING,D_DT_START,D_DT_END,CTRL_IND,D_DT_RELN_EST,DT_END,DT_RELN_EST,DT_START,EQUITY_IND,FC_IND,MB_COST,OTHER_BASIS_IND,PCT_EQUITY,PCT_EQUITY_BRACKET,PCT_EQUITY_FORMAT,PCT_OTHER,REASON_ROW_CRTD,REASON_TERM_RELN,REG_IND,REGK_INV,RELN_LVL'.split(
    ',',
  )
const transformationHeadings =
  '#ID_RSSD_PREDECESSOR,ID_RSSD_SUCCESSOR,D_DT_TRANS,TRNSFM_CD,ACCT_METHOD,DT_TRANS'.split(',')

type Row = Readonly<Record<string, string | number>>

/** `20080925` → `"09/25/2008 00:00:00"`, and 0 → blank */
const twice = (day: string) =>
  day === '0' ? '' : `"${day.slice(4, 6)}/${day.slice(6)}/${day.slice(0, 4)} 00:00:00"`

function file(headings: readonly string[], rows: readonly Row[], usual: Row): string {
  const widths: Record<string, number> = {
    NM_LGL: 120,
    NM_SHORT: 30,
    CITY: 25,
    STREET_LINE1: 40,
    CNTRY_NM: 40,
  }
  const lines = rows.map((row) =>
    headings.map((heading) => {
      const value = (of: string) => String(row[of] ?? usual[of] ?? 0)
      if (heading.startsWith('D_DT_')) return twice(value(heading.slice(2)))
      const width = widths[heading]
      return width ? `"${value(heading).padEnd(width)}"` : value(heading)
    }),
  )
  return `${[headings, ...lines].map((line) => line.join(',')).join('\r\n')}\r\n`
}

/** CSV_ATTRIBUTES_*.CSV: institutions or branches, by NIC's names of columns without the `#`. */
export const attributesFile = (rows: readonly Row[]): string =>
  file(
    attributeHeadings,
    rows.map((row) => ({ ...row, '#ID_RSSD': row.ID_RSSD! })),
    {
      ...{ DT_START: '19900101', DT_END: '99991231', DT_EXIST_TERM: '99991231', DT_EXIST_CMNC: '19900101' },
      ...{ EST_TYPE_CD: 1, NM_LGL: 'NAMELESS', CNTRY_NM: 'UNITED STATES', DOMESTIC_IND: 'Y', CNTRY_CD: 1007 },
    },
  )

/** CSV_RELATIONSHIPS.CSV */
export const relationshipsFile = (rows: readonly Row[]): string =>
  file(
    relationshipHeadings,
    rows.map((row) => ({ ...row, '#ID_RSSD_PARENT': row.ID_RSSD_PARENT! })),
    {
      ...{ DT_START: '19900101', DT_RELN_EST: '19900101', DT_END: '99991231', CTRL_IND: 1, REG_IND: 1 },
      ...{ EQUITY_IND: 1, PCT_EQUITY: '100.00', PCT_EQUITY_FORMAT: 'Exact', REASON_ROW_CRTD: 1, RELN_LVL: 1 },
    },
  )

/** CSV_TRANSFORMATIONS.CSV */
export const transformationsFile = (rows: readonly Row[]): string =>
  file(
    transformationHeadings,
    rows.map((row) => ({ ...row, '#ID_RSSD_PREDECESSOR': row.ID_RSSD_PREDECESSOR! })),
    { TRNSFM_CD: 1 },
  )
