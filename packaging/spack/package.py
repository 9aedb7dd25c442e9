# A recipe for Spack, written after its manual and not tried: copy it to packages/carom/ of a repository of yours.
from spack.package import *


class Carom(CMakePackage):
    """Multiple impacts of rigid bodies: every impact law, side by side."""

    license("BSD-3-Clause")
    version("1.0.0-rc1", url="file:///path/to/carom-1.0.0-rc1.tar.gz")  # make dist; sha256="..."

    variant("hdf5", default=True, description="Tables and histories as HDF5")
    variant("figures", default=True, description="Figures by Cairo")
    variant("design", default=True, description="Designs by NLopt")
    variant("mpi", default=False, description="Studies over the ranks of MPI")

    depends_on("c", type="build")
    depends_on("cmake@3.22:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("suite-sparse")
    depends_on("libyaml")
    depends_on("jansson")
    depends_on("hdf5+hl~mpi", when="+hdf5")
    depends_on("cairo+pdf+svg", when="+figures")
    depends_on("nlopt", when="+design")
    depends_on("mpi", when="+mpi")

    def cmake_args(self):
        return [
            self.define_from_variant("CAROM_HDF5", "hdf5"),
            self.define_from_variant("CAROM_FIGURES", "figures"),
            self.define_from_variant("CAROM_DESIGN", "design"),
            self.define_from_variant("CAROM_MPI", "mpi"),
        ]
