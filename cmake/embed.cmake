# Turn files into arrays of a C source:  cmake -DOUT=page.c -DFILES=a.css;b.js -P cmake/embed.cmake
# Each becomes crm_asset_NAME, with what is no letter or digit as _, and ends in a 0 that is not
# counted. Lines that are comments alone are left out: they would be a tenth of every page.
set(text "#include \"report/page/assets.h\"\n")
foreach(file ${FILES})
  get_filename_component(name ${file} NAME)
  string(MAKE_C_IDENTIFIER ${name} name)
  file(READ ${file} content)
  string(REGEX REPLACE "\n *//[^\n]*" "" content "${content}")
  string(HEX "${content}" bytes)
  string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(APPEND text "\nconst unsigned char crm_asset_${name}[] = {\n${bytes}0};\n")
endforeach()
file(WRITE ${OUT} "${text}")
