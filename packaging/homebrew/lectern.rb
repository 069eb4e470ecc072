# The formula of a tap. packaging/build fills in version and checksums; no Homebrew has installed it yet.
class Lectern < Formula
  desc "Text-to-speech service with audiobooks, without a graphics card"
  homepage "@HOMEPAGE@"
  version "@VERSION@"
  license all_of: ["Apache-2.0", "LGPL-2.0-or-later", "FDK-AAC", "MIT"]

  on_macos do
    on_arm do
      url "@RELEASES@/lectern-@VERSION@-aarch64-apple-darwin.tar.gz"
      sha256 "@SHA256_aarch64-apple-darwin@"
    end
    on_intel do
      url "@RELEASES@/lectern-@VERSION@-x86_64-apple-darwin.tar.gz"
      sha256 "@SHA256_x86_64-apple-darwin@"
    end
  end

  on_linux do
    on_arm do
      url "@RELEASES@/lectern-@VERSION@-aarch64-unknown-linux-gnu.tar.gz"
      sha256 "@SHA256_aarch64-unknown-linux-gnu@"
    end
    on_intel do
      url "@RELEASES@/lectern-@VERSION@-x86_64-unknown-linux-gnu.tar.gz"
      sha256 "@SHA256_x86_64-unknown-linux-gnu@"
    end
  end

  # Found by the program in share/lectern/voices of its own keg.
  resource "voice-hibari" do
    url "@RELEASES@/lectern-voice-hibari-@VOICES@.tar.gz"
    sha256 "@SHA256_VOICE@"
  end

  def install
    bin.install "bin/lectern"
    doc.install Dir["share/doc/lectern/*"]
    man1.install Dir["share/man/man1/*"]
    bash_completion.install Dir["share/bash-completion/completions/*"]
    zsh_completion.install Dir["share/zsh/site-functions/*"]
    fish_completion.install Dir["share/fish/vendor_completions.d/*"]
    resource("voice-hibari").stage { (share/"lectern").install Dir["share/lectern/*"] }
  end

  service do
    run [opt_bin/"lectern", "serve"]
    keep_alive true
    working_dir var/"lectern"
    environment_variables LECTERN_DATA_DIR: var/"lectern"
    log_path var/"log/lectern.log"
    error_log_path var/"log/lectern.log"
  end

  test do
    system bin/"lectern", "speak", "Hello from Lectern.", "-o", testpath/"hello.wav"
    assert_operator (testpath/"hello.wav").size, :>, 20_000
  end
end
