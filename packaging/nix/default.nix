# An expression for Nix, written after its manual and not tried: nix-build packaging/nix
{ pkgs ? import <nixpkgs> { } }:

pkgs.stdenv.mkDerivation {
  pname = "carom";
  version = "1.0.0-rc1";
  src = ../..;
  nativeBuildInputs = with pkgs; [ cmake ninja pkg-config ];
  buildInputs = with pkgs; [ suitesparse libyaml jansson cairo hdf5 nlopt ];
  cmakeFlags = [ "-DCAROM_MPI=OFF" ];
  doInstallCheck = true;
  installCheckPhase = "$out/bin/carom solve $out/share/carom/examples/newton_cradle.yaml";
}
