# What CTest runs beside the programs test_*.c: the Python package, what is installed, the documents, the
# pages in a browser. A check that needs what is not here ends with "skipped" and is counted as that.

# check(NAME COMMAND...): a script of tests/ or scripts/, run from the root of the tree.
function(check label name)
  add_test(NAME ${name} COMMAND ${ARGN} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES LABELS ${label} SKIP_REGULAR_EXPRESSION "^skipped")
endfunction()

if(CAROM_PYTHON)
  set(PYTHON_TEST_ENVIRONMENT PYTHONPATH=${PROJECT_BINARY_DIR}/package PYTHONDONTWRITEBYTECODE=1)
  if(CAROM_SANITIZE)
    # The program is the release's; Python itself is not watched.
    get_filename_component(release ${PROJECT_SOURCE_DIR}/build ABSOLUTE)
    execute_process(COMMAND ${CMAKE_C_COMPILER} -print-file-name=libasan.so
                    OUTPUT_VARIABLE asan OUTPUT_STRIP_TRAILING_WHITESPACE)
    list(APPEND PYTHON_TEST_ENVIRONMENT CAROM_PROGRAM=${release}/bin/carom LD_PRELOAD=${asan}
         ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 CAROM_TEST_QUICK=1)
  else()
    list(APPEND PYTHON_TEST_ENVIRONMENT CAROM_PROGRAM=${CAROM_BUILD_BIN}/carom)
  endif()
  add_test(NAME python COMMAND ${CAROM_PYTHON_PROGRAM} -m pytest -q -p no:cacheprovider python/tests
           WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(python PROPERTIES LABELS python ENVIRONMENT "${PYTHON_TEST_ENVIRONMENT}")
endif()

if(CAROM_SANITIZE)
  # The layout of what is public is read from debugging information, which this build has.
  check(install abi tests/install/abi ${PROJECT_BINARY_DIR}/libcarom.so)
  return()
endif()

foreach(name run manual symbols layers names version hardening)
  check(install install_${name} tests/install/${name} ${PROJECT_BINARY_DIR})
endforeach()
check(install numbers_by_locale tests/install/locale)
check(install source_archive tests/install/dist ${PROJECT_BINARY_DIR})
foreach(target arm64 s390x) # where scripts/targets has been run once
  check(trust same_on_${target} scripts/targets --quick ${target})
endforeach()
check(install python_hints tests/install/hints)
check(install python_wheel tests/install/wheel)

check(docs docs_commands tests/docs/commands ${PROJECT_BINARY_DIR})
check(docs docs_references tests/docs/references)
check(docs docs_length tests/docs/length)
check(docs docs_folders tests/docs/folders)
check(docs docs_laws scripts/document-laws --check ${PROJECT_BINARY_DIR}/carom)
check(docs docs_api sh -c "scripts/document-api | diff docs/api.md -")
check(docs docs_fields scripts/document-scenario)
find_program(SPHINX sphinx-build)
if(SPHINX)
  check(docs docs_site tests/docs/site)
else()
  check(docs docs_site echo "skipped: needs sphinx-build (scripts/dependencies docs)")
endif()

find_program(NODE node)
foreach(name solve simulate sweep fit reproduce)
  if(NODE)
    check(browser browser_${name} ${NODE} tests/browser/${name}.mjs ${PROJECT_BINARY_DIR}/carom)
  else()
    check(browser browser_${name} echo "skipped: needs nodejs")
  endif()
endforeach()
