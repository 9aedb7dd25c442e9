/* What runs in a page, as texts of the program: a file of third_party/uplot or
 * src/report/page/browser by its name, the scripts of a folder there together by the folder's
 * (cmake/embed.cmake).
 */
#ifndef CRM_ASSETS_H
#define CRM_ASSETS_H

extern const unsigned char crm_asset_uPlot_iife_min_js[], crm_asset_uPlot_min_css[];
extern const unsigned char crm_asset_page_css[], crm_asset_live_css[];
extern const unsigned char crm_asset_common_js[], crm_asset_chart_js[], crm_asset_scene_js[],
    crm_asset_impact_js[], crm_asset_motion_js[], crm_asset_study_js[], crm_asset_fit_js[],
    crm_asset_admissible_js[], crm_asset_record_js[], crm_asset_live_js[], crm_asset_worker_js[];

#endif
