// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/growth/video_writer.h"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/opt.h>
#include <libswscale/swscale.h>
}

#include <QCoreApplication>
#include <algorithm>
#include <array>
#include <cstring>

#include "core/base/check.h"
#include "core/base/error.h"

namespace tfm::ui {
namespace {

struct VideoText {
  Q_DECLARE_TR_FUNCTIONS(tfm::ui::VideoWriter)
};

constexpr int kGifTicks = 100;                   // a GIF's time unit is 1/100 s
constexpr std::int64_t kMpeg4Bits = 12'000'000;  // per second; H.264 uses constant quality instead

struct FreeFormat {
  void operator()(AVFormatContext* context) const {
    if (context->pb) avio_closep(&context->pb);
    avformat_free_context(context);
  }
};
struct FreeCodec {
  void operator()(AVCodecContext* context) const { avcodec_free_context(&context); }
};
struct FreeFrame {
  void operator()(AVFrame* frame) const { av_frame_free(&frame); }
};
struct FreePacket {
  void operator()(AVPacket* packet) const { av_packet_free(&packet); }
};
struct FreeScaler {
  void operator()(SwsContext* context) const { sws_freeContext(context); }
};

QString reason(int code) {
  std::array<char, AV_ERROR_MAX_STRING_SIZE> text{};
  av_strerror(code, text.data(), text.size());
  return QString::fromLocal8Bit(text.data());
}

const AVCodec* encoderFor(bool gif) {
  if (gif) return avcodec_find_encoder_by_name("gif");
  const AVCodec* h264 = avcodec_find_encoder_by_name("libx264");
  return h264 ? h264 : avcodec_find_encoder_by_name("mpeg4");
}

}  // namespace

struct VideoWriter::State {
  QString path;
  QSize size;
  QList<QRgb> colors;
  int frames_per_second = 25;
  std::int64_t frames = 0;
  std::unique_ptr<AVFormatContext, FreeFormat> format;
  std::unique_ptr<AVCodecContext, FreeCodec> codec;
  std::unique_ptr<AVFrame, FreeFrame> frame;
  std::unique_ptr<AVPacket, FreePacket> packet;
  std::unique_ptr<SwsContext, FreeScaler> scaler;
  AVStream* stream = nullptr;
  bool begun = false;  ///< its header is written

  /// What a muxer holds back, such as the last picture of a GIF, is freed with the trailer only.
  ~State() {
    if (begun) av_write_trailer(format.get());
  }

  bool gif() const { return !colors.empty(); }

  /// Throws if libav returned an error.
  int expect(int answer) const {
    if (answer >= 0) return answer;
    throw Error(
        VideoText::tr("the animation could not be written: %1").arg(reason(answer)).toStdString(),
        path.toStdString(),
        VideoText::tr("Free some space, or choose another format").toStdString());
  }
  template <class T>
  T* present(T* thing) const {
    if (thing) return thing;
    throw Error(VideoText::tr("this system has no encoder for this format").toStdString(),
                path.toStdString(),
                VideoText::tr("Choose GIF, MP4 or a folder of images").toStdString());
  }

  void openCodec();
  void openFile();
  void fill(const QImage& image);
  void drain(const AVFrame* next);
};

void VideoWriter::State::openCodec() {
  const AVCodec* encoder = present(encoderFor(gif()));
  codec.reset(present(avcodec_alloc_context3(encoder)));
  codec->width = size.width();
  codec->height = size.height();
  codec->time_base = {1, gif() ? kGifTicks : frames_per_second};
  codec->framerate = {frames_per_second, 1};
  codec->pix_fmt = gif() ? AV_PIX_FMT_PAL8 : AV_PIX_FMT_YUV420P;
  if (!gif()) {
    codec->color_range = AVCOL_RANGE_MPEG;
    codec->colorspace = AVCOL_SPC_BT709;
    codec->color_primaries = AVCOL_PRI_BT709;
    codec->color_trc = AVCOL_TRC_BT709;
    codec->bit_rate = encoder->id == AV_CODEC_ID_H264 ? 0 : kMpeg4Bits;
    av_opt_set(codec->priv_data, "crf", "16", 0);
    av_opt_set(codec->priv_data, "preset", "medium", 0);
  }
  if (format->oformat->flags & AVFMT_GLOBALHEADER) codec->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
  expect(avcodec_open2(codec.get(), encoder, nullptr));
}

void VideoWriter::State::openFile() {
  const QByteArray name = path.toUtf8();
  AVFormatContext* context = nullptr;
  avformat_alloc_output_context2(&context, nullptr, gif() ? "gif" : "mp4", name.constData());
  format.reset(present(context));
  openCodec();
  stream = present(avformat_new_stream(format.get(), nullptr));
  stream->time_base = codec->time_base;
  stream->avg_frame_rate = codec->framerate;
  expect(avcodec_parameters_from_context(stream->codecpar, codec.get()));
  expect(avio_open(&format->pb, name.constData(), AVIO_FLAG_WRITE));
  // With the index in front, players can start before the file is complete.
  AVDictionary* settings = nullptr;
  if (!gif()) av_dict_set(&settings, "movflags", "faststart", 0);
  const int answer = avformat_write_header(format.get(), &settings);
  av_dict_free(&settings);
  expect(answer);
  begun = true;
}

void VideoWriter::State::fill(const QImage& image) {
  expect(av_frame_make_writable(frame.get()));
  if (gif()) {
    const QImage indexed = image.convertToFormat(QImage::Format_Indexed8, colors);
    for (int y = 0; y < size.height(); ++y)
      std::memcpy(frame->data[0] + std::ptrdiff_t{y} * frame->linesize[0], indexed.constScanLine(y),
                  std::size_t(size.width()));
    auto* table = reinterpret_cast<std::uint32_t*>(frame->data[1]);
    // The last entry stays free: the encoder uses it for unchanged pixels.
    std::fill(table, table + AVPALETTE_COUNT, 0U);
    std::copy(colors.begin(), colors.end(), table);
    return;
  }
  const QImage source = image.convertToFormat(QImage::Format_RGB32);
  const std::uint8_t* planes[] = {source.constBits()};
  const int strides[] = {int(source.bytesPerLine())};
  sws_scale(scaler.get(), planes, strides, 0, size.height(), frame->data, frame->linesize);
}

void VideoWriter::State::drain(const AVFrame* next) {
  expect(avcodec_send_frame(codec.get(), next));
  while (true) {
    const int answer = avcodec_receive_packet(codec.get(), packet.get());
    if (answer == AVERROR(EAGAIN) || answer == AVERROR_EOF) return;
    expect(answer);
    av_packet_rescale_ts(packet.get(), codec->time_base, stream->time_base);
    packet->stream_index = stream->index;
    expect(av_interleaved_write_frame(format.get(), packet.get()));
  }
}

VideoWriter::VideoWriter(const QString& path, const QSize& size, int frames_per_second,
                         QList<QRgb> colors)
    : state_(std::make_unique<State>()) {
  State& s = *state_;
  s.path = path;
  s.size = size;
  s.colors = std::move(colors);
  s.frames_per_second = frames_per_second;
  check(s.colors.size() < AVPALETTE_COUNT, "a GIF has at most 255 colours");
  check(s.gif() || (size.width() % 2 == 0 && size.height() % 2 == 0), "MP4 has even sides");
  s.openFile();
  s.frame.reset(s.present(av_frame_alloc()));
  s.packet.reset(s.present(av_packet_alloc()));
  s.frame->format = s.codec->pix_fmt;
  s.frame->width = size.width();
  s.frame->height = size.height();
  s.expect(av_frame_get_buffer(s.frame.get(), 0));
  if (s.gif()) return;
  s.scaler.reset(s.present(sws_getContext(
      size.width(), size.height(), AV_PIX_FMT_BGRA, size.width(), size.height(), AV_PIX_FMT_YUV420P,
      SWS_BICUBIC | SWS_ACCURATE_RND, nullptr, nullptr, nullptr)));
  const int* table = sws_getCoefficients(SWS_CS_ITU709);
  sws_setColorspaceDetails(s.scaler.get(), sws_getCoefficients(SWS_CS_DEFAULT), 1, table, 0, 0,
                           1 << 16, 1 << 16);
}

VideoWriter::~VideoWriter() = default;

void VideoWriter::add(const QImage& image) {
  State& s = *state_;
  check(image.size() == s.size, "every frame has the animation's size");
  s.fill(image);
  s.frame->pts = s.gif() ? s.frames * kGifTicks / s.frames_per_second : s.frames;
  ++s.frames;
  s.drain(s.frame.get());
}

void VideoWriter::finish() {
  State& s = *state_;
  s.drain(nullptr);
  s.begun = false;
  s.expect(av_write_trailer(s.format.get()));
  s.expect(avio_closep(&s.format->pb));
}

}  // namespace tfm::ui
